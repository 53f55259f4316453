/**
 * How a count ends: closed, its variances posted, or cancelled.
 *
 * 1. Both say where the count is to end, so a repeat under any key is the same as once; each key is
 *    claimed all the same, since it stands for this request.
 */
import type { Refusal } from '../domain/refusal.ts';
import type { CountId, CountStatus, StockCount } from '../domain/stock-count.ts';
import { refuseUnlessOpen } from '../domain/stock-count.ts';
import type { CloseCount, CountAnswer, CountStore, EndCount } from './count-ports.ts';
import type { Attempt } from './attempts.ts';
import type { Progress } from './keyed-request.ts';
import { claim, lookUpClaim } from './keyed-request.ts';
import type { Lookup, Ports } from './ports.ts';

interface EndingPorts extends Pick<Ports, 'actions'> {
  readonly counts: Pick<CountStore, 'read' | 'summary'>;
}

interface CancellingPorts extends EndingPorts {
  readonly counts: Pick<CountStore, 'read' | 'summary' | 'cancel'>;
}

export async function attemptClose(
  ports: EndingPorts,
  closeCount: CloseCount,
  request: EndCount,
  progress: Progress,
  deadline: number,
): Promise<Attempt<CountAnswer>> {
  const ready = await claimEnd(ports, request, progress, refuseToClose);
  if (ready.kind !== 'ready') return ready;
  const closing = await closeCount(request.id, request.actor, deadline);
  if (closing.kind === 'unknown') return closing;
  if (closing.kind === 'missing') return { kind: 'not-found' };
  const refusal = refuseToClose(closing.value.status);
  return refusal === undefined
    ? counted(closing.value, ready.replayed)
    : { kind: 'refused', refusal };
}

function refuseToClose(status: CountStatus): Refusal | undefined {
  return status === 'cancelled' ? refuseUnlessOpen(status) : undefined;
}

export async function attemptCancel(
  ports: CancellingPorts,
  request: EndCount,
  progress: Progress,
): Promise<Attempt<CountAnswer>> {
  const ready = await claimEnd(ports, request, progress, refuseToCancel);
  if (ready.kind !== 'ready') return ready;
  if (ready.status === 'open') {
    const cancelled = await ports.counts.cancel(request.id, ready.version, request.actor);
    if (cancelled.kind === 'unknown') return cancelled;
    if (cancelled.kind !== 'written') return { kind: 'lost' };
  }
  const count = await readCount(ports, request.id);
  if (count.kind === 'unknown') return count;
  return count.kind === 'missing' ? { kind: 'not-found' } : counted(count.value, ready.replayed);
}

function refuseToCancel(status: CountStatus): Refusal | undefined {
  return status === 'cancelled' ? undefined : refuseUnlessOpen(status);
}

interface ReadyToEnd {
  readonly kind: 'ready';
  readonly version: number;
  readonly status: CountStatus;
  readonly replayed: boolean;
}

/** Looks up the key and the count, and claims the key where the count may end so (1). */
async function claimEnd(
  ports: EndingPorts,
  request: EndCount,
  progress: Progress,
  refuse: (status: CountStatus) => Refusal | undefined,
): Promise<ReadyToEnd | Attempt<CountAnswer>> {
  const standing = await lookUpClaim(ports.actions, request);
  if (standing.kind === 'unknown' || standing.kind === 'refused') return standing;
  const read = await ports.counts.summary(request.id);
  if (read.kind === 'unknown') return read;
  if (read.kind === 'missing') return { kind: 'not-found' };
  const { version, count } = read.value;
  const refusal = refuse(count.status);
  if (refusal !== undefined) return { kind: 'refused', refusal };
  if (standing.kind === 'missing') {
    const subject = { kind: 'count', count: request.id } as const;
    const claimed = await claim(ports.actions, request, subject, progress);
    if (claimed.kind !== 'recorded') return claimed;
  }
  const replayed = standing.kind === 'found' && !progress.mayHaveClaimed;
  return { kind: 'ready', version, status: count.status, replayed };
}

export async function readCount({ counts }: EndingPorts, id: CountId): Promise<Lookup<StockCount>> {
  const read = await counts.read(id);
  return read.kind === 'found' ? { kind: 'found', value: read.value.record } : read;
}

export function counted(count: StockCount, replayed: boolean): CountAnswer {
  return { kind: 'count', count, replayed };
}
