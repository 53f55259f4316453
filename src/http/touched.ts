/**
 * Which warehouses the request under way touches, for its line in the log. What tells is made once
 * for all requests of a key's warehouses, so it finds the request by its asynchronous context.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Touch } from '../inventory/reach.ts';
import type { RequestRecord } from './request-log.ts';

const underWay = new AsyncLocalStorage<RequestRecord>();

/** A batch may name very many. */
const shownLimit = 20;

export function touching<T>(record: RequestRecord, serve: () => Promise<T>): Promise<T> {
  return underWay.run(record, serve);
}

export const touch: Touch = (warehouses) => {
  const record = underWay.getStore();
  if (record === undefined) return;
  const touched = new Set([...(record.touched ?? []), ...warehouses]);
  if (touched.size > 0) record.touched = Array.from(touched).slice(0, shownLimit);
};
