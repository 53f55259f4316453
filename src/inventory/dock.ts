/** The dock's use cases, put together. */
import { attemptHold, cancelling, confirming, showHold, taking } from './dock-holds.ts';
import type { HoldChange } from './dock-holds.ts';
import type { Dock, DockPorts, HoldAnswer } from './dock-ports.ts';
import { attemptOpenSlot, listSlots, readAvailability, showSlot } from './dock-slots.ts';
import type { WarehouseId } from '../domain/ids.ts';
import { createAvailability } from './availability.ts';
import { untilAnswered } from './keyed-request.ts';
import { unavailable } from './ticket.ts';

export interface DockTimes {
  /** For how long a hold is held that is not confirmed. */
  readonly holdSeconds: number;
  /** For how long what is available is shown without looking. */
  readonly availabilitySeconds: number;
  /** By when a request has its answer, definite or not. */
  readonly deadlineMilliseconds: number;
}

export function createDock(
  ports: DockPorts,
  { holdSeconds, availabilitySeconds: seconds, deadlineMilliseconds }: DockTimes,
): Dock {
  const { timer } = ports;
  const availability = createAvailability({
    read: (warehouse?: WarehouseId) => readAvailability(ports, warehouse),
    timer,
    seconds,
  });
  const holding = { ...ports, availability };
  const put = (change: HoldChange): Promise<HoldAnswer> =>
    untilAnswered(timer, deadlineMilliseconds, (progress) =>
      attemptHold(holding, change, progress),
    );
  return {
    openSlot: async (request) => {
      const answer = await untilAnswered(timer, deadlineMilliseconds, (progress) =>
        attemptOpenSlot(ports, request, progress),
      );
      if (answer.kind === 'slot' && !answer.replayed) availability.drop(request.warehouse);
      return answer;
    },
    slot: (id) => showSlot(ports, id),
    slots: (query) => listSlots(ports, query),
    availability: async (warehouse) => {
      const read = await availability.get(warehouse);
      return read.kind === 'found' ? { kind: 'ok', value: read.value } : unavailable(read.cause);
    },
    hold: (request) => put(taking(request, holdSeconds)),
    confirm: (request) => put(confirming(request)),
    cancel: (request) => put(cancelling(request)),
    holdOf: (id) => showHold(ports, id),
  };
}
