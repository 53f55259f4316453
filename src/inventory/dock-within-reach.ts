/** The dock as a key sees it that has warehouses of its own; the rules are those of within-reach.ts. */
import { slotOfHold } from '../domain/dock-slot.ts';
import type { SlotId } from '../domain/dock-slot.ts';
import type { NotFound, Refused, Unavailable } from './answer.ts';
import type { Dock } from './dock-ports.ts';
import type { Reach } from './reach.ts';
import { beyond } from './reach.ts';
import { filled } from './within-reach.ts';

export function dockWithin(reach: Reach, dock: Dock): Dock {
  /** A slot elsewhere is as one that is not there. */
  async function refuseBeyond(id: SlotId): Promise<NotFound | Refused | Unavailable | undefined> {
    const standing = await dock.slot(id);
    if (standing.kind !== 'ok') return standing;
    return reach.covers(standing.value.warehouse) ? undefined : { kind: 'not-found' };
  }
  return {
    openSlot: async (request) =>
      reach.covers(request.warehouse) ? dock.openSlot(request) : beyond,
    slot: async (id) => (await refuseBeyond(id)) ?? dock.slot(id),
    slots: async (query) => {
      if (query.warehouse !== undefined && !reach.covers(query.warehouse)) return beyond;
      return filled(
        reach,
        query.limit,
        (after) =>
          dock.slots({
            ...query,
            ...(after && { after: { startsAt: after.startsAt, id: after.id } }),
          }),
        {
          locations: () => [],
          part: (slot) => (reach.covers(slot.warehouse) ? slot : undefined),
        },
      );
    },
    availability: async (warehouse) => {
      if (warehouse !== undefined && !reach.covers(warehouse)) return beyond;
      const answer = await dock.availability(warehouse);
      if (answer.kind !== 'ok') return answer;
      return { kind: 'ok', value: answer.value.filter((slot) => reach.covers(slot.warehouse)) };
    },
    hold: async (request) => (await refuseBeyond(request.slot)) ?? dock.hold(request),
    confirm: async (request) =>
      (await refuseBeyond(slotOfHold(request.hold))) ?? dock.confirm(request),
    cancel: async (request) =>
      (await refuseBeyond(slotOfHold(request.hold))) ?? dock.cancel(request),
    holdOf: async (id) => (await refuseBeyond(slotOfHold(id))) ?? dock.holdOf(id),
  };
}
