/** The ids of slots and holds. */
import type { HoldId, SlotId } from '../domain/dock-slot.ts';
import { parseHoldId, parseSlotId } from '../domain/dock-slot.ts';
import type { ActionId } from '../domain/ids.ts';
import { derivedId } from './derived-id.ts';

export function slotIdOf(action: ActionId): SlotId {
  return derivedId(action, parseSlotId);
}

export function holdIdOf(slot: SlotId, action: ActionId): HoldId {
  return derivedId(action, (text) => parseHoldId(`${slot}.${text}`));
}
