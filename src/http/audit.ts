/** What an auditor asks: what moved anywhere, what stood at an instant, whether it all adds up. */
import type { Request } from 'express';
import { z } from 'zod';
import { placeOf } from '../inventory/audit.ts';
import type { Inventory } from '../inventory/inventory.ts';
import { listOf, readCursor } from './cursor.ts';
import type { Endpoint, KeyedEndpoint } from './endpoint.ts';
import { reading } from './endpoint.ts';
import type { ExportForm } from './export.ts';
import { csv, exportText, ndjson } from './export.ts';
import { instantText } from './instant-text.ts';
import { movementView } from './movement-view.ts';
import { unavailable } from './problem.ts';
import { declined, found, pageOf, problem, queried } from './reply.ts';
import {
  exportQuery,
  levelsQuery,
  movementPlace,
  movementsQuery,
  noQuery,
  skuPath,
} from './schemas.ts';

const movements = '/v1/movements';

export function auditEndpoints(inventory: Inventory): readonly Endpoint[] {
  return [search(inventory), levels(inventory), verification(inventory)];
}

/**
 * One list in three forms. JSON comes in pages, the others whole. Who accepts none of them gets
 * JSON: an answer in another form helps more than none.
 */
function search(inventory: Inventory): Endpoint {
  const json = list(inventory);
  const forms: ReadonlyMap<string, KeyedEndpoint> = new Map([
    ['application/json', json],
    ['text/csv', wholeList(inventory, csv)],
    ['application/x-ndjson', wholeList(inventory, ndjson)],
  ]);
  const formOf = (request: Request): KeyedEndpoint => {
    const accepted = request.accepts(Array.from(forms.keys()));
    return accepted === false ? json : (forms.get(accepted) ?? json);
  };
  return { ...json, serve: (incoming) => formOf(incoming.request).serve(incoming) };
}

/** The same path answers in other forms to those who accept them. */
const varies = { Vary: 'Accept' };

function list(inventory: Inventory): KeyedEndpoint {
  return reading({
    path: movements,
    params: z.strictObject({}),
    query: movementsQuery,
    answer: async ({ query: { limit, cursor, ...filters } }) => {
      const searched = listOf('movements', filters, movementPlace);
      const after = readCursor(searched, cursor);
      if (!after.ok) return problem(after.problem);
      const asked = { ...filters, limit, ...(after.value && { after: after.value }) };
      return queried(await inventory.movements(asked), (page) =>
        pageOf(page, searched, placeOf, movementView, varies),
      );
    },
  });
}

/** The first page is there before anything is sent, so that what fails at once is a problem. */
function wholeList(inventory: Inventory, form: ExportForm): KeyedEndpoint {
  return reading({
    path: movements,
    params: z.strictObject({}),
    query: exportQuery,
    answer: async ({ query }) => {
      const pages = inventory.exportMovements(query)[Symbol.asyncIterator]();
      const first = await pages.next();
      if (first.done === true) throw new TypeError('an export has at least one page');
      if (first.value.kind === 'refused') return declined(first.value);
      if (first.value.kind === 'unknown') {
        const { cause } = first.value;
        return problem(unavailable({ kind: 'unavailable', retryAfterSeconds: 1, cause }));
      }
      return {
        kind: 'stream',
        headers: {
          ...varies,
          'Content-Type': form.contentType,
          'Content-Disposition': `attachment; filename="${form.fileName}"`,
        },
        text: exportText(form, first.value.value, pages),
      };
    },
  });
}

function levels(inventory: Inventory): Endpoint {
  return reading({
    path: '/v1/skus/{sku}/levels',
    params: skuPath,
    query: levelsQuery,
    answer: async ({ params, query }) =>
      queried(await inventory.levelsAt(params.sku, query.at), ({ sku, at, levels }) =>
        found({
          sku,
          at: instantText(at),
          levels: levels.map(({ location, onHand }) => ({ location, onHand })),
        }),
      ),
  });
}

function verification(inventory: Inventory): Endpoint {
  return reading({
    path: '/v1/skus/{sku}/verification',
    params: skuPath,
    query: noQuery,
    answer: async ({ params }) =>
      queried(await inventory.verification(params.sku), ({ sku, ok, checks }) =>
        found({ sku, ok, checks: checks.map(({ name, ok, detail }) => ({ name, ok, detail })) }),
      ),
  });
}
