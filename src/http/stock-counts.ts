/** Stock counts over HTTP: opened, counted line by line, closed or cancelled. */
import { z } from 'zod';
import type {
  CountLine,
  CountViewer,
  LineOutcome,
  StockCount,
  Tally,
} from '../domain/stock-count.ts';
import { parseCountId, showsExpectation, varianceOf } from '../domain/stock-count.ts';
import type {
  CountAnswer,
  CountSummary,
  EndCount,
  LineAnswer,
  StockCounts,
} from '../inventory/count-ports.ts';
import type { CountLineShown, CountShown } from './answers/count.ts';
import type { Principal } from './auth.ts';
import { jsonBody, optionalJsonBody } from './body.ts';
import {
  countBody,
  countEndBody,
  countLineBody,
  countPath,
  countPlace,
  countsQuery,
} from './count-schemas.ts';
import { listOf, readCursor } from './cursor.ts';
import type { Endpoint } from './endpoint.ts';
import { changing, reading } from './endpoint.ts';
import { instantText } from './instant-text.ts';
import type { Reply } from './reply.ts';
import { changed, declined, found, notFound, pageOf, problem, queried } from './reply.ts';
import { noQuery } from './schemas.ts';

const all = '/v1/stock-counts';
const one = `${all}/{id}`;

/** Room for 2,000 SKUs by name. */
const openLimitBytes = 256 * 1024;

/** Scanners count; everybody else sees what is expected. */
function viewerOf({ role }: Principal): CountViewer {
  return role === 'scanner' ? 'counter' : 'office';
}

export function stockCountEndpoints(counts: StockCounts): readonly Endpoint[] {
  return [
    open(counts),
    list(counts),
    show(counts),
    putLine(counts),
    end('close', counts.close),
    end('cancel', counts.cancel),
  ];
}

function open(counts: StockCounts): Endpoint {
  const body = jsonBody(countBody, openLimitBytes);
  return changing({
    method: 'POST',
    path: all,
    params: z.strictObject({}),
    body,
    key: 'required',
    answer: async ({ body: { blind: isBlind, ...scope }, action, principal }) =>
      countReply(await counts.open({ ...action, ...scope, isBlind }), viewerOf(principal), true),
  });
}

/** The last one that is put counts. */
function putLine(counts: StockCounts): Endpoint {
  const body = jsonBody(countLineBody);
  return changing({
    method: 'PUT',
    path: `${one}/lines`,
    params: countPath,
    body,
    key: 'optional',
    answer: async ({ params, body, action, principal }) => {
      const id = parseCountId(params.id);
      return id === undefined
        ? notFound
        : lineReply(await counts.putLine({ ...action, ...body, id }), viewerOf(principal));
    },
  });
}

function end(how: 'close' | 'cancel', ask: (request: EndCount) => Promise<CountAnswer>): Endpoint {
  const body = optionalJsonBody(countEndBody);
  return changing({
    method: 'POST',
    path: `${one}/${how}`,
    params: countPath,
    body,
    key: 'required',
    answer: async ({ params, action, principal }) => {
      const id = parseCountId(params.id);
      if (id === undefined) return notFound;
      return countReply(await ask({ ...action, id }), viewerOf(principal), false);
    },
  });
}

/** What is unfinished when the request's time is up is answered 202, first or again. */
function countReply(answer: CountAnswer, viewer: CountViewer, created: boolean): Reply {
  switch (answer.kind) {
    case 'count': {
      const { count, replayed } = answer;
      const view = countView(count, viewer);
      if (count.status !== 'closing') return changed(view, { created, replayed });
      const headers = {
        Location: `${all}/${count.id}`,
        ...(replayed && { 'Idempotent-Replayed': 'true' }),
      };
      return { kind: 'answer', status: 202, body: view, headers };
    }
    case 'not-found':
      return notFound;
    case 'refused':
    case 'unavailable':
      return declined(answer);
  }
}

function lineReply(answer: LineAnswer, viewer: CountViewer): Reply {
  switch (answer.kind) {
    case 'line': {
      const { count, line, replayed } = answer;
      return changed(
        { count: count.id, ...lineView(count, line, viewer) },
        { created: false, replayed },
      );
    }
    case 'not-found':
      return notFound;
    case 'refused':
    case 'unavailable':
      return declined(answer);
  }
}

function show(counts: StockCounts): Endpoint {
  return reading({
    path: one,
    params: countPath,
    query: noQuery,
    answer: async ({ params, principal }) => {
      const id = parseCountId(params.id);
      if (id === undefined) return notFound;
      const viewer = viewerOf(principal);
      return queried(await counts.count(id), (count) => found(countView(count, viewer)));
    },
  });
}

function list(counts: StockCounts): Endpoint {
  return reading({
    path: all,
    params: z.strictObject({}),
    query: countsQuery,
    answer: async ({ query: { limit, cursor, ...filters } }) => {
      const listed = listOf('stock-counts', filters, countPlace);
      const after = readCursor(listed, cursor);
      if (!after.ok) return problem(after.problem);
      const asked = { ...filters, limit, ...(after.value && { after: after.value }) };
      return queried(await counts.counts(asked), (page) =>
        pageOf(page, listed, ({ openedAt: at, id }) => ({ at, id }), summaryView),
      );
    },
  });
}

function countView(count: StockCount, viewer: CountViewer): CountShown {
  const lines = count.lines.map((line) => lineView(count, line, viewer));
  return { ...headView(count), lines };
}

/** A list shows how far each count is, not its lines. */
function summaryView(summary: CountSummary): object {
  const { lineCount, countedCount } = summary;
  return { ...headView(summary), lineCount, countedCount };
}

function headView(count: Omit<StockCount, 'lines'>): Omit<CountShown, 'lines'> {
  const { id, status, isBlind, locations, skus, openedBy, openedAt } = count;
  return {
    id,
    status,
    blind: isBlind,
    locations,
    ...(skus !== undefined && { skus }),
    openedBy,
    openedAt: instantText(openedAt),
    ...endView(count),
  };
}

/** Whoever closes is known from the beginning, the time only at the end. */
function endView({
  status,
  endedBy,
  endedAt,
}: Pick<StockCount, 'status' | 'endedBy' | 'endedAt'>): Partial<CountShown> {
  const at = endedAt === undefined ? undefined : instantText(endedAt);
  if (endedBy === undefined) return {};
  switch (status) {
    case 'open':
      return {};
    case 'closing':
    case 'closed':
      return { closedBy: endedBy, ...(at !== undefined && { closedAt: at }) };
    case 'cancelled':
      return { cancelledBy: endedBy, ...(at !== undefined && { cancelledAt: at }) };
  }
}

function lineView(
  count: Pick<StockCount, 'isBlind'>,
  line: CountLine,
  viewer: CountViewer,
): CountLineShown {
  const { sku, location, expected, tally, outcome } = line;
  const isShown = showsExpectation(count, viewer);
  const variance = varianceOf(line);
  const tells = isShown && (tally !== null || outcome !== undefined);
  return {
    sku,
    location,
    ...(isShown && { expected }),
    counted: tally?.counted ?? null,
    ...(tally !== null && tallyView(tally, isShown)),
    ...(tells && { variance }),
    ...(outcome !== undefined && outcomeView(outcome)),
  };
}

function tallyView({ asOfOrdinal, onHand, by }: Tally, isShown: boolean): Partial<CountLineShown> {
  return { asOfOrdinal, ...(isShown && { onHand }), countedBy: by };
}

function outcomeView(outcome: LineOutcome): Partial<CountLineShown> {
  switch (outcome.kind) {
    case 'adjusted':
      return { outcome: outcome.kind, ordinal: outcome.ordinal };
    case 'unchanged':
    case 'uncounted':
      return { outcome: outcome.kind };
    case 'recount':
      return { outcome: outcome.kind, ordinal: outcome.ordinal, code: outcome.refused };
  }
}
