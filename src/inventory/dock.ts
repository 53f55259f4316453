/** The dock's use cases, put together. */
import { attemptHold, cancelling, confirming, showHold, taking } from './dock-holds.ts';
import type { HoldChange } from './dock-holds.ts';
import type { Dock, DockPorts, HoldAnswer } from './dock-ports.ts';
import { attemptOpenSlot, listSlots, readAvailability, showSlot } from './dock-slots.ts';
import { untilAnswered } from './keyed-request.ts';
import { unavailable } from './ticket.ts';

export interface DockTimes {
  /** For how long a hold is held that is not confirmed. */
  readonly holdSeconds: number;
  /** By when a request has its answer, definite or not. */
  readonly deadlineMilliseconds: number;
}

export function createDock(
  ports: DockPorts,
  { holdSeconds, deadlineMilliseconds }: DockTimes,
): Dock {
  const { timer } = ports;
  const put = (change: HoldChange): Promise<HoldAnswer> =>
    untilAnswered(timer, deadlineMilliseconds, (progress) => attemptHold(ports, change, progress));
  return {
    openSlot: (request) =>
      untilAnswered(timer, deadlineMilliseconds, (progress) =>
        attemptOpenSlot(ports, request, progress),
      ),
    slot: (id) => showSlot(ports, id),
    slots: (query) => listSlots(ports, query),
    availability: async (warehouse) => {
      const read = await readAvailability(ports, warehouse);
      return read.kind === 'found' ? { kind: 'ok', value: read.value } : unavailable(read.cause);
    },
    hold: (request) => put(taking(request, holdSeconds)),
    confirm: (request) => put(confirming(request)),
    cancel: (request) => put(cancelling(request)),
    holdOf: (id) => showHold(ports, id),
  };
}
