/**
 * The saga of a cancelled order: its appointments are given up, and their seats are free again.
 *
 * 1. Whoever takes a seat reads the slot first, is put on the order after that, and writes against
 *    the slot that was read. The order is cancelled here before a slot is looked at. So a seat that
 *    this does not see is either refused by the order, or still to be written against a version
 *    that this has seen: where a hold has no seat, the slot's version is raised, and it never lands.
 * 2. A hold is given up as a caller gives it up, under an action of its own; one that has ended
 *    stays as it ended. Given up again it is the same as once.
 */
import type { GivingUp } from '../src/domain/appointment.ts';
import { afterGivingUp, nextToGiveUp } from '../src/domain/appointment.ts';
import type { HoldId } from '../src/domain/dock-slot.ts';
import { bookingOf, passedBy, slotOfHold } from '../src/domain/dock-slot.ts';
import type { ActionId } from '../src/domain/ids.ts';
import { serviceActionId } from '../src/domain/ids.ts';
import type { PurchaseOrder } from '../src/domain/purchase-order.ts';
import type { Dock, DockSlotStore } from '../src/inventory/dock-ports.ts';
import type { Unknown } from '../src/inventory/ports.ts';
import { requestDigest } from '../src/inventory/request-digest.ts';
import type { Saga } from './saga.ts';

export interface AppointmentPorts {
  readonly dock: Pick<Dock, 'cancel'>;
  readonly slots: Pick<DockSlotStore, 'read' | 'swap'>;
}

export function appointmentsSaga(ports: AppointmentPorts): Saga<PurchaseOrder, GivingUp> {
  return {
    next: nextToGiveUp,
    carryOut: async ({ record }, { holds }) => {
      const given = new Set<HoldId>();
      let unknown: Unknown | undefined;
      const tried = holds.map(async (hold) => {
        const outcome = await giveUp(ports, hold);
        if (outcome.kind === 'given-up') given.add(hold);
        else unknown = outcome;
      });
      await Promise.all(tried);
      return given.size === 0 && unknown !== undefined
        ? unknown
        : { kind: 'carried', after: afterGivingUp(record, given) };
    },
  };
}

type Outcome = { readonly kind: 'given-up' } | Unknown;

const givenUp: Outcome = { kind: 'given-up' };
const operation = 'POST /v1/purchase-orders/{number}/cancel';

async function giveUp(ports: AppointmentPorts, hold: HoldId): Promise<Outcome> {
  const actionId = serviceActionId('appointment', hold);
  const digest = requestDigest(operation, { hold }, {});
  const answer = await ports.dock.cancel({ actionId, operation, digest, hold });
  switch (answer.kind) {
    case 'hold':
      return givenUp;
    case 'not-found':
      return shutOut(ports, hold, actionId);
    case 'unavailable':
      return { kind: 'unknown', cause: answer.cause };
    case 'refused':
      throw new Error(`a hold that is given up was answered with ${JSON.stringify(answer)}`);
  }
}

/** A hold that has no seat gets none any more (1). */
async function shutOut(
  { slots }: AppointmentPorts,
  hold: HoldId,
  action: ActionId,
): Promise<Outcome> {
  const read = await slots.read(slotOfHold(hold));
  if (read.kind === 'unknown') return read;
  if (read.kind === 'missing') return givenUp;
  const { slot } = read.value;
  if (bookingOf(slot, hold) !== undefined) return overtaken;
  const written = await slots.swap({ before: slot, after: passedBy(slot, action) });
  switch (written.kind) {
    case 'written':
      return givenUp;
    case 'lost':
      return overtaken;
    case 'unknown':
      return written;
  }
}

const overtaken: Unknown = { kind: 'unknown', cause: 'the slot has changed meanwhile' };
