/** Cycle counts over HTTP: counts that the office lets open by themselves, again and again. */
import { z } from 'zod';
import type { CycleCounts, StandingCycleCount } from '../inventory/cycle-counts.ts';
import type { CycleCountShown } from './answers/cycle-count.ts';
import { jsonBody, noBody } from './body.ts';
import { cycleCountBody, cycleCountPath } from './count-schemas.ts';
import { listOf, readCursor } from './cursor.ts';
import type { Endpoint } from './endpoint.ts';
import { changing, reading } from './endpoint.ts';
import { dueView } from './recurring.ts';
import { found, pageOf, problem, queried, shown } from './reply.ts';
import { noQuery, pageQuery } from './schemas.ts';

const all = '/v1/cycle-counts';
const one = `${all}/{name}`;

export function cycleCountEndpoints(cycleCounts: CycleCounts): readonly Endpoint[] {
  return [
    put(cycleCounts),
    list(cycleCounts),
    reading({
      path: one,
      params: cycleCountPath,
      query: noQuery,
      answer: async ({ params: { name } }) =>
        queried(await cycleCounts.cycleCount(name), (standing) => found(view(standing))),
    }),
    remove(cycleCounts),
  ];
}

function put(cycleCounts: CycleCounts): Endpoint {
  const body = jsonBody(cycleCountBody);
  return changing({
    method: 'PUT',
    path: one,
    params: cycleCountPath,
    body,
    key: 'optional',
    answer: async ({ params: { name }, body: { blind, every, timeZone, ...rest }, action }) => {
      const recurring = { every, ...(timeZone !== undefined && { timeZone }) };
      return shown(
        await cycleCounts.set({ ...action, ...rest, name, isBlind: blind, recurring }, view),
      );
    },
  });
}

function list(cycleCounts: CycleCounts): Endpoint {
  return reading({
    path: all,
    params: z.strictObject({}),
    query: pageQuery,
    answer: async ({ query: { limit, cursor } }) => {
      const listed = listOf('cycle-counts', {}, cycleCountPath.shape.name);
      const after = readCursor(listed, cursor);
      if (!after.ok) return problem(after.problem);
      const asked = { limit, ...(after.value !== undefined && { after: after.value }) };
      return queried(await cycleCounts.cycleCounts(asked), (page) =>
        pageOf(page, listed, ({ name }) => name, view),
      );
    },
  });
}

/** The same answer whether it was there or not: afterwards there is none. */
function remove(cycleCounts: CycleCounts): Endpoint {
  return changing({
    method: 'DELETE',
    path: one,
    params: cycleCountPath,
    body: noBody,
    key: 'optional',
    answer: async ({ params: { name }, action }) =>
      shown(await cycleCounts.remove(action, name, { name, state: 'removed' })),
  });
}

/** `at` is when the next count opens. */
function view({ name, cycleCount, recurring, reminder, now }: StandingCycleCount): CycleCountShown {
  const { locations, skus, isBlind, setBy } = cycleCount;
  return {
    name,
    locations,
    ...(skus !== undefined && { skus }),
    blind: isBlind,
    ...recurring,
    ...dueView({ reminder, now }),
    setBy,
  };
}
