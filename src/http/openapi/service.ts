/** The document on reminders and on the service itself. */
import { z } from 'zod';
import { sessionShown } from '../answers/api-key.ts';
import { reminderShown, removedReminderShown, removedRemindersShown } from '../answers/reminder.ts';
import { pageShown } from '../answers/shown.ts';
import type { OperationDocs } from './operation.ts';
import { shown } from './operation.ts';

const one = '/v1/reminders/{actor}/{name}';

export const reminderDocs: OperationDocs = {
  'GET /v1/reminders': {
    id: 'listReminders',
    tag: 'Reminders',
    summary: 'List reminders',
    answers: shown('A page of reminders.', pageShown(reminderShown)),
    refuses: [],
  },
  [`GET ${one}`]: {
    id: 'getReminder',
    tag: 'Reminders',
    summary: 'Show a reminder',
    answers: shown('The reminder.', reminderShown),
    refuses: ['not-found'],
  },
  [`PUT ${one}`]: {
    id: 'putReminder',
    tag: 'Reminders',
    summary: 'Set a reminder',
    description:
      'The name is `name` or `name:key`. `every` is an ISO 8601 duration of at least a minute, ' +
      'or a cron line, with which `at` may be left out.',
    answers: {
      201: { what: 'The reminder is new.', schema: reminderShown },
      200: { what: 'The reminder as it now is.', schema: reminderShown },
    },
    refuses: [],
    example: { at: '2030-01-31T12:00:00Z', every: 'P1D', timeZone: 'Europe/Vienna' },
  },
  [`DELETE ${one}`]: {
    id: 'removeReminder',
    tag: 'Reminders',
    summary: 'Remove a reminder',
    description: 'The same answer whether it was there or not.',
    answers: shown('There is none any more.', removedReminderShown),
    refuses: [],
  },
  'DELETE /v1/reminders/{actor}': {
    id: 'removeReminders',
    tag: 'Reminders',
    summary: 'Remove all reminders of an actor',
    answers: shown('How many there were.', removedRemindersShown),
    refuses: [],
  },
  [`POST ${one}/resume`]: {
    id: 'resumeReminder',
    tag: 'Reminders',
    summary: 'Resume a suspended reminder',
    answers: shown('The reminder.', reminderShown),
    refuses: ['not-found'],
  },
};

export const serviceDocs: OperationDocs = {
  'GET /livez': {
    id: 'isAlive',
    tag: 'Service',
    summary: 'Does the process run?',
    answers: shown('It does.', z.strictObject({ status: z.literal('alive') })),
    refuses: [],
  },
  'GET /readyz': {
    id: 'isReady',
    tag: 'Service',
    summary: 'Can it work?',
    answers: shown(
      'The database answers and its indexes are there.',
      z.strictObject({ status: z.literal('ready') }),
    ),
    refuses: ['unavailable'],
  },
  'GET /metrics': {
    id: 'getMetrics',
    tag: 'Service',
    summary: 'What it does, for Prometheus',
    answers: { 200: { what: 'The metrics.', schema: z.string(), mediaType: 'text/plain' } },
    refuses: [],
  },
  'GET /openapi.json': {
    id: 'getDocument',
    tag: 'Service',
    summary: 'This document',
    answers: shown('The document.', z.looseObject({ openapi: z.literal('3.1.1') })),
    refuses: [],
  },
  'GET /docs': {
    id: 'showDocument',
    tag: 'Service',
    summary: 'This document, to be read and tried',
    answers: { 200: { what: 'A page.', schema: z.string(), mediaType: 'text/html' } },
    refuses: [],
  },
  'GET /v1/session': {
    id: 'getSession',
    tag: 'Service',
    summary: 'Who the caller is',
    answers: shown('The name and the role of the API key.', sessionShown),
    refuses: [],
  },
};
