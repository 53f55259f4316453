/** The dock as a key sees it that has warehouses of its own; the rules are those of within-reach.ts. */
import { slotOfHold } from '../domain/dock-slot.ts';
import type { SlotId } from '../domain/dock-slot.ts';
import type { WarehouseId } from '../domain/ids.ts';
import type { NotFound, Refused, Unavailable } from './answer.ts';
import type { Dock, SlotView } from './dock-ports.ts';
import type { Reach } from './reach.ts';
import { beyond } from './reach.ts';

export function dockWithin(reach: Reach, dock: Dock): Dock {
  const isBeyond = (warehouse: WarehouseId | undefined): boolean =>
    warehouse !== undefined && !reach.coversAll([warehouse]);
  /** A slot elsewhere is as one that is not there. */
  async function refuseBeyond(id: SlotId): Promise<NotFound | Refused | Unavailable | undefined> {
    const standing = await dock.slot(id);
    if (standing.kind !== 'ok') return standing;
    return isBeyond(standing.value.warehouse) ? { kind: 'not-found' } : undefined;
  }
  return {
    openSlot: async (request) => (isBeyond(request.warehouse) ? beyond : dock.openSlot(request)),
    slot: async (id) => (await refuseBeyond(id)) ?? dock.slot(id),
    slots: async (query) =>
      isBeyond(query.warehouse) ? beyond : dock.slots({ ...query, warehouses: reach.warehouses }),
    availability: async (warehouse) => {
      if (isBeyond(warehouse)) return beyond;
      if (warehouse !== undefined) return dock.availability(warehouse);
      // Each of its own: in the list of all, others' slots could leave no room for them.
      const lists = await Promise.all(reach.warehouses.map((own) => dock.availability(own)));
      const slots: SlotView[] = [];
      for (const list of lists) {
        if (list.kind !== 'ok') return list;
        slots.push(...list.value);
      }
      return { kind: 'ok', value: slots.toSorted((one, other) => one.startsAt - other.startsAt) };
    },
    hold: async (request) => (await refuseBeyond(request.slot)) ?? dock.hold(request),
    confirm: async (request) =>
      (await refuseBeyond(slotOfHold(request.hold))) ?? dock.confirm(request),
    cancel: async (request) =>
      (await refuseBeyond(slotOfHold(request.hold))) ?? dock.cancel(request),
    holdOf: async (id) => (await refuseBeyond(slotOfHold(id))) ?? dock.holdOf(id),
  };
}
