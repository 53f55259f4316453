/** The document on the dock. */
import { z } from 'zod';
import { dockHoldShown, slotAvailabilityShown, slotShown } from '../answers/dock.ts';
import { pageShown } from '../answers/shown.ts';
import type { OperationDocs } from './operation.ts';
import { made, shown } from './operation.ts';

const slots = '/v1/dock/slots';
const hold = '/v1/dock/holds/{id}';

export const dockDocs: OperationDocs = {
  [`POST ${slots}`]: {
    id: 'openDockSlot',
    tag: 'Dock',
    summary: 'Open a slot',
    description: 'A window in which the warehouse takes deliveries, with room for so many.',
    answers: made('The slot; it never changes.', slotShown),
    refuses: [],
    example: {
      warehouse: 'W1',
      startsAt: '2030-01-31T08:00:00Z',
      endsAt: '2030-01-31T09:00:00Z',
      capacity: 4,
    },
  },
  [`GET ${slots}`]: {
    id: 'listDockSlots',
    tag: 'Dock',
    summary: 'List slots',
    description: '`from` and `to` are about when slots start, both inclusive.',
    answers: shown('A page of slots, the earliest first.', pageShown(slotAvailabilityShown)),
    refuses: [],
  },
  [`GET ${slots}/availability`]: {
    id: 'getDockAvailability',
    tag: 'Dock',
    summary: 'Show what can be booked',
    description:
      'The slots that have not begun, the earliest first, at most 1,000. What remains may be some ' +
      'seconds old; whether a place is free is decided when it is held.',
    answers: shown('The slots.', z.array(slotAvailabilityShown)),
    refuses: [],
  },
  [`POST ${slots}/{slot}/holds`]: {
    id: 'holdDockSlot',
    tag: 'Dock',
    summary: 'Hold places of a slot',
    description:
      'For five minutes unless the service is set otherwise, all of the places or none. A hold ' +
      'that is not confirmed by then lapses by itself.',
    answers: made('The hold.', dockHoldShown),
    refuses: [
      'not-found',
      'capacity-exhausted',
      'slot-started',
      'unknown-purchase-order',
      'purchase-order-closed',
      'appointment-limit',
    ],
    example: { seats: 2 },
  },
  [`GET ${hold}`]: {
    id: 'getDockHold',
    tag: 'Dock',
    summary: 'Show a hold',
    answers: shown('The hold as it now is.', dockHoldShown),
    refuses: ['not-found'],
  },
  [`POST ${hold}/confirm`]: {
    id: 'confirmDockHold',
    tag: 'Dock',
    summary: 'Confirm a hold',
    description: 'One that is confirmed stays so, whenever it is confirmed again.',
    answers: shown('The hold, confirmed.', dockHoldShown),
    refuses: ['not-found', 'hold-expired', 'hold-cancelled', 'slot-started'],
    example: {},
  },
  [`DELETE ${hold}`]: {
    id: 'cancelDockHold',
    tag: 'Dock',
    summary: 'Give a hold back',
    description:
      'Confirmed or not; its places come back once. One that has lapsed stays `expired`: its ' +
      'places are free already.',
    answers: shown('The hold, cancelled.', dockHoldShown),
    refuses: ['not-found'],
  },
};
