/**
 * Reminders over HTTP. Callers set them under names of their own; what the service sets for
 * itself, under actors that begin with `~`, they can see and resume, and no more.
 */
import { z } from 'zod';
import type { Actor } from '../domain/ids.ts';
import { isWellFormed, parseActor, utf8Length } from '../domain/ids.ts';
import type { ReminderId } from '../domain/reminder.ts';
import {
  isServiceActor,
  missedRules,
  nameLimit,
  parseReminderActor,
  parseReminderId,
  payloadByteLimit,
  reminderNameOf,
} from '../domain/reminder.ts';
import type { StampedReminder } from '../inventory/reminder-ports.ts';
import type { Reminders } from '../inventory/reminders.ts';
import type { ReminderShown } from './answers/reminder.ts';
import { jsonBody, noBody } from './body.ts';
import { listOf, readCursor } from './cursor.ts';
import type { Endpoint } from './endpoint.ts';
import { changing, reading } from './endpoint.ts';
import { dueView, every, refuseUnlessDue, timeZone } from './recurring.ts';
import { found, pageOf, problem, queried, shown } from './reply.ts';
import { instant, noQuery, pageQuery } from './schemas.ts';

const ofActor = '/v1/reminders/{actor}';
const one = `${ofActor}/{name}`;

export function reminderEndpoints(reminders: Reminders): readonly Endpoint[] {
  return [
    put(reminders),
    reading({
      path: one,
      params: anyPath,
      query: noQuery,
      answer: async ({ params }) =>
        queried(await reminders.reminder(params.reminder), (value) => found(reminderView(value))),
    }),
    list(reminders),
    remove(reminders),
    removeAll(reminders),
    resume(reminders),
  ];
}

// What requests may say

const nameMessage =
  `must be name or name:key, printable, without white space at either end, ` +
  `and at most ${nameLimit} characters with the actor`;
const actorMessage = 'must match ^[a-z0-9][a-z0-9._-]{0,63}$';

const pathText = z.strictObject({ actor: z.string(), name: z.string() });

/** Any reminder, the service's own included. */
const anyPath = pathText.transform(({ actor, name }, context) => {
  const isActor = parseReminderActor(actor) !== undefined;
  const reminder = isActor ? parseReminderId(actor, name) : undefined;
  if (reminder !== undefined) return { reminder };
  const [path, message] = isActor ? ['name', nameMessage] : ['actor', actorMessage];
  context.addIssue({ code: 'custom', path: [path], message, input: undefined });
  return z.NEVER;
});

/** A reminder that a caller may set and take away. */
const ownPath = anyPath.refine(({ reminder }) => !isServiceActor(reminderNameOf(reminder).actor), {
  path: ['actor'],
  error: 'is the service itself where it begins with ~',
});

const actorPath = z.strictObject({
  actor: z.string().transform((text, context): Actor => {
    const actor = parseActor(text);
    if (actor !== undefined) return actor;
    context.addIssue({ code: 'custom', message: actorMessage, input: text });
    return z.NEVER;
  }),
});

/** Every text in it, the names of members included. */
function isWellFormedThroughout(json: unknown): boolean {
  if (typeof json === 'string') return isWellFormed(json);
  if (typeof json !== 'object' || json === null) return true;
  return Object.entries(json).every(
    ([name, value]) => isWellFormed(name) && isWellFormedThroughout(value),
  );
}

const reminderBody = z
  .strictObject({
    at: instant.exactOptional(),
    every: every.exactOptional(),
    timeZone: timeZone.exactOptional(),
    missed: z.enum(missedRules).default('latest'),
    payload: z
      .unknown()
      .refine(isWellFormedThroughout, 'must not hold a lone surrogate')
      .exactOptional(),
  })
  .transform(({ at, every, timeZone, missed, payload }) => ({
    ...(at !== undefined && { at }),
    ...(every !== undefined && {
      recurring: { every, ...(timeZone !== undefined && { timeZone }) },
    }),
    missed,
    ...(payload !== undefined && { payload: JSON.stringify(payload) }),
  }))
  .superRefine(({ at, recurring, payload }, context) => {
    const refuse = (path: string, message: string): void => {
      context.addIssue({ code: 'custom', path: [path], message });
    };
    refuseUnlessDue(at, recurring, refuse);
    if (payload !== undefined && utf8Length(payload) > payloadByteLimit) {
      refuse('payload', `must be at most ${payloadByteLimit} bytes as JSON`);
    }
  });

const remindersQuery = pageQuery.extend({
  state: z.enum(['suspended'], { error: 'must be suspended' }).exactOptional(),
  actor: z
    .string()
    .transform((text, context): Actor => {
      const actor = parseReminderActor(text);
      if (actor !== undefined) return actor;
      context.addIssue({ code: 'custom', message: actorMessage, input: text });
      return z.NEVER;
    })
    .exactOptional(),
});

const reminderId = z.string().transform((text, context): ReminderId => {
  const slash = text.indexOf('/');
  const id = parseReminderId(text.slice(0, slash), text.slice(slash + 1));
  if (id !== undefined) return id;
  context.addIssue({ code: 'custom', message: nameMessage, input: text });
  return z.NEVER;
});

// Endpoints

function put(reminders: Reminders): Endpoint {
  const body = jsonBody(reminderBody);
  return changing({
    method: 'PUT',
    path: one,
    params: ownPath,
    body,
    key: 'optional',
    answer: async ({ params: { reminder: id }, body, action }) =>
      shown(await reminders.set(action, { id, ...body }, reminderView)),
  });
}

function list(reminders: Reminders): Endpoint {
  return reading({
    path: '/v1/reminders',
    params: z.strictObject({}),
    query: remindersQuery,
    answer: async ({ query: { limit, cursor, ...filters } }) => {
      const listed = listOf('reminders', filters, reminderId);
      const after = readCursor(listed, cursor);
      if (!after.ok) return problem(after.problem);
      const asked = { ...filters, limit, ...(after.value && { after: after.value }) };
      return queried(await reminders.reminders(asked), (page) =>
        pageOf(page, listed, ({ reminder }) => reminder.id, reminderView),
      );
    },
  });
}

/** The same answer whether it was there or not: afterwards there is none. */
function remove(reminders: Reminders): Endpoint {
  return changing({
    method: 'DELETE',
    path: one,
    params: ownPath,
    body: noBody,
    key: 'optional',
    answer: async ({ params: { reminder }, action }) => {
      const removed = { ...reminderNameOf(reminder), state: 'removed' };
      return shown(await reminders.remove(action, reminder, removed));
    },
  });
}

function removeAll(reminders: Reminders): Endpoint {
  return changing({
    method: 'DELETE',
    path: ofActor,
    params: actorPath,
    body: noBody,
    key: 'optional',
    answer: async ({ params: { actor }, action }) =>
      shown(await reminders.removeAll(action, actor, (removed) => ({ actor, removed }))),
  });
}

/** It changes no stock and may be done twice, so it needs no key. */
function resume(reminders: Reminders): Endpoint {
  return changing({
    method: 'POST',
    path: `${one}/resume`,
    params: anyPath,
    body: noBody,
    key: 'optional',
    answer: async ({ params: { reminder }, action }) =>
      shown(await reminders.resume(action, reminder, reminderView)),
  });
}

function reminderView({ reminder, now }: StampedReminder): ReminderShown {
  const { id, recurring, missed, payload } = reminder;
  const said: unknown = payload === undefined ? undefined : JSON.parse(payload);
  return {
    ...reminderNameOf(id),
    ...recurring,
    missed,
    ...(said !== undefined && { payload: said }),
    ...dueView({ reminder, now }),
  };
}
