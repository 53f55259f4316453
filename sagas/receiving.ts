/** Receiving purchase orders, as the edge sees it. */
import type { ReceiptId } from '../src/domain/purchase-order.ts';
import type { Receipt } from '../src/domain/receipt.ts';
import { isCredited } from '../src/domain/receipt.ts';
import type { Receiving } from '../src/inventory/order-ports.ts';
import { unavailable } from '../src/inventory/ticket.ts';
import type { Desk, ReceivingPorts } from './receiving-desk.ts';
import { withinDeadline } from './receiving-desk.ts';
import { reverseReceipt } from './reverse-receipt.ts';
import type { SagaRuns } from './saga-runs.ts';
import { takeReceipt } from './take-receipt.ts';

/** @param deadlineMilliseconds by when a request has its answer, whatever is left to do. */
export function createReceiving(
  ports: ReceivingPorts,
  runs: SagaRuns<ReceiptId, Receipt>,
  deadlineMilliseconds: number,
): Receiving {
  const desk: Desk = { ports, runs, deadlineMilliseconds };
  return {
    receive: (request) => withinDeadline(desk, (entry) => takeReceipt(entry, request)),
    reverse: (request) => withinDeadline(desk, (entry) => reverseReceipt(entry, request)),
    receipt: async (number, id) => {
      const read = await ports.receipts.read(id);
      if (read.kind === 'unknown') return unavailable(read.cause);
      if (read.kind === 'missing') return { kind: 'not-found' };
      const { record } = read.value;
      return record.number === number && isCredited(record)
        ? { kind: 'ok', value: record }
        : { kind: 'not-found' };
    },
    receipts: async ({ limit, ...query }) => {
      const order = await ports.orders.read(query.number);
      if (order.kind === 'unknown') return unavailable(order.cause);
      if (order.kind === 'missing') return { kind: 'not-found' };
      const read = await ports.receipts.list({ ...query, limit: limit + 1 });
      if (read.kind === 'unknown') return unavailable(read.cause);
      const items = read.value.slice(0, limit);
      return { kind: 'ok', value: { items, more: read.value.length > limit } };
    },
  };
}
