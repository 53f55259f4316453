/**
 * Counts what waits in the database. Every question goes to an index that holds unfinished work
 * and stops at a bound, so that asking costs little however much waits.
 */
import type { Db } from 'mongodb';
import { sagaActor } from '../domain/ids.ts';
import type { Backlog, ReadBacklog, UnfinishedSagas } from '../inventory/backlog.ts';
import type { Read } from '../inventory/ports.ts';
import type { Receiver, ReminderStore } from '../inventory/reminder-ports.ts';
import { maxTimeMS } from './client.ts';
import { countsOf } from './count-documents.ts';
import { collectionsOf } from './documents.ts';
import { whereWaiting } from './leases.ts';
import { ordersOf } from './order-documents.ts';
import { askPlainly } from './store-error.ts';

/** Past it a number says "at least so many". */
const countedLimit = 10_000;

const receivers: readonly Receiver[] = ['webhook', sagaActor];

export function createReadBacklog(
  db: Db,
  reminders: Pick<ReminderStore, 'clock' | 'countSuspended'>,
): ReadBacklog {
  return async () => {
    const [receipts, closings, orders, due, suspended] = await Promise.all([
      unfinishedReceipts(db),
      unfinishedClosings(db),
      unfinishedCancellations(db),
      remindersDue(db, reminders),
      reminders.countSuspended(),
    ]);
    if (receipts.kind === 'unknown') return receipts;
    if (closings.kind === 'unknown') return closings;
    if (orders.kind === 'unknown') return orders;
    if (due.kind === 'unknown') return due;
    if (suspended.kind === 'unknown') return suspended;
    const value: Backlog = {
      sagas: [...receipts.value, ...closings.value, ...orders.value],
      remindersDue: due.value,
      remindersSuspended: suspended.value,
    };
    return { kind: 'found', value };
  };
}

/** Only unfinished receipts have a lease that lasts until some time. */
function unfinishedReceipts(db: Db): Promise<Read<readonly UnfinishedSagas[]>> {
  return askPlainly(async () => {
    const groups = await ordersOf(db)
      .receipts.aggregate<{ readonly _id: string; readonly count: number }>(
        [
          { $match: whereWaiting },
          { $limit: countedLimit },
          { $group: { _id: '$state', count: { $sum: 1 } } },
        ],
        { maxTimeMS },
      )
      .toArray();
    return groups.map(({ _id: state, count }) => ({ saga: 'receipt', state, count }));
  });
}

function unfinishedClosings(db: Db): Promise<Read<readonly UnfinishedSagas[]>> {
  return askPlainly(async () => {
    const filter = { status: 'closing' } as const;
    const count = await countsOf(db).countDocuments(filter, { limit: countedLimit, maxTimeMS });
    return count === 0 ? [] : [{ saga: 'count', state: 'closing', count }];
  });
}

/** Cancelled orders whose appointments are still to be given up. */
function unfinishedCancellations(db: Db): Promise<Read<readonly UnfinishedSagas[]>> {
  return askPlainly(async () => {
    const bounded = { limit: countedLimit, maxTimeMS };
    const count = await ordersOf(db).orders.countDocuments(whereWaiting, bounded);
    return count === 0 ? [] : [{ saga: 'order', state: 'cancelled', count }];
  });
}

async function remindersDue(
  db: Db,
  { clock }: Pick<ReminderStore, 'clock'>,
): Promise<Read<number>> {
  const now = await clock();
  if (now.kind === 'unknown') return now;
  const filter = { receiver: { $in: [...receivers] }, nextAt: { $lte: new Date(now.value) } };
  return askPlainly(() =>
    collectionsOf(db).reminders.countDocuments(filter, { limit: countedLimit, maxTimeMS }),
  );
}
