/** First answers of actions that leave no movement. */
import type { AnswerStore, KeptAnswer } from '../inventory/ports.ts';
import { maxTimeMS } from './client.ts';
import type { AnswerDocument, Collections } from './documents.ts';
import { definitionFields, definitionOf, locationOf } from './documents.ts';
import { ask, askPlainly } from './store-error.ts';

type Answers = Collections['answers'];

export function createAnswerStore(answers: Answers): AnswerStore {
  return {
    keep: async (answer) => {
      const asked = await ask(() => answers.insertOne(documentOf(answer), { maxTimeMS }));
      switch (asked.kind) {
        case 'found':
        case 'duplicate':
          return { kind: 'recorded' };
        case 'conflict':
          return { kind: 'unknown', cause: 'the answer met a conflict' };
        case 'unknown':
          return asked;
      }
    },
    find: async (action) => {
      const asked = await askPlainly(() => answers.findOne({ _id: action }, { maxTimeMS }));
      if (asked.kind === 'unknown') return asked;
      return asked.value === null
        ? { kind: 'missing' }
        : { kind: 'found', value: answerOf(asked.value) };
    },
  };
}

function documentOf(answer: KeptAnswer): AnswerDocument {
  const { actionId: _id } = answer;
  switch (answer.kind) {
    case 'definition': {
      const { kind, sku, version } = answer;
      return { _id, kind, sku, definition: definitionFields(answer.definition), version };
    }
    case 'location': {
      const { location: id, retiredAt, ...rest } = answer.location;
      const retired = retiredAt === undefined ? {} : { retiredAt: new Date(retiredAt) };
      return { _id, kind: 'location', location: { _id: id, ...rest, ...retired, changedBy: _id } };
    }
    case 'count-line':
      return { _id, kind: 'count-line', count: answer.count, line: answer.line };
    case 'order':
      return { _id, kind: 'order', order: answer.order };
    case 'dock-hold':
      return { _id, kind: 'dock-hold', booking: answer.booking, status: answer.status };
    case 'reminder':
      return { _id, kind: 'reminder', shown: answer.shown };
  }
}

function answerOf(document: AnswerDocument): KeptAnswer {
  const { _id: actionId } = document;
  switch (document.kind) {
    case 'definition': {
      const { kind, sku, version } = document;
      return { actionId, kind, sku, definition: definitionOf(document.definition), version };
    }
    case 'location':
      return { actionId, kind: 'location', location: locationOf(document.location) };
    case 'count-line':
      return { actionId, kind: 'count-line', count: document.count, line: document.line };
    case 'order':
      return { actionId, kind: 'order', order: document.order };
    case 'dock-hold': {
      const { kind, booking, status } = document;
      return { actionId, kind, booking, status };
    }
    case 'reminder':
      return { actionId, kind: 'reminder', shown: document.shown };
  }
}
