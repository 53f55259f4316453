/** The collections of the dock. */
import { bookingEvents, capacityLimit } from '../domain/dock-slot.ts';
import type { DeclaredCollection } from './declared.ts';

const text = { bsonType: 'string' } as const;
const number = { bsonType: ['int', 'long', 'double'] } as const;
const date = { bsonType: 'date' } as const;

const seat = {
  bsonType: 'object',
  required: ['hold', 'seat', 'digest', 'held', 'heldUntil', 'expiresAt'],
  properties: {
    hold: text,
    seat: { ...number, minimum: 1 },
    digest: text,
    heldUntil: date,
    expiresAt: { bsonType: ['date', 'null'] },
  },
} as const;

export const dockCollections: readonly DeclaredCollection[] = [
  {
    name: 'dockSlots',
    validator: {
      $jsonSchema: {
        bsonType: 'object',
        required: [
          'warehouse',
          'startsAt',
          'endsAt',
          'capacity',
          'seats',
          'version',
          'lastActionId',
        ],
        properties: {
          _id: text,
          warehouse: text,
          startsAt: date,
          endsAt: date,
          capacity: { ...number, minimum: 1, maximum: capacityLimit },
          seats: { bsonType: 'array', maxItems: capacityLimit, items: seat },
          version: { ...number, minimum: 1 },
          lastActionId: text,
        },
      },
      // Lapsed and cancelled seats count as well: whoever needs their room takes them out with it.
      $expr: { $lte: [{ $size: '$seats' }, '$capacity'] },
    },
    indexes: [
      { name: 'start', key: { startsAt: 1, _id: 1 } },
      { name: 'warehouse-start', key: { warehouse: 1, startsAt: 1, _id: 1 } },
    ],
  },
  {
    name: 'dockBookings',
    validator: {
      $jsonSchema: {
        bsonType: 'object',
        required: ['event', 'at', 'hold', 'slot', 'seats', 'digest', 'held', 'heldUntil'],
        properties: {
          _id: text,
          event: { enum: [...bookingEvents] },
          at: date,
          hold: text,
          slot: text,
          seats: { ...number, minimum: 1 },
        },
      },
    },
    indexes: [],
  },
];
