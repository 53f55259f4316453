/** The document on reservations. */
import { committedShown, reservationShown } from '../answers/reservation.ts';
import { pageShown } from '../answers/shown.ts';
import type { OperationDocs } from './operation.ts';
import { made, shown } from './operation.ts';

const ended = [
  'unknown-reservation',
  'reservation-expired',
  'reservation-committed',
  'reservation-released',
] as const;

export const reservationDocs: OperationDocs = {
  'POST /v1/skus/{sku}/reservations': {
    id: 'reserve',
    tag: 'Reservations',
    summary: 'Promise units to somebody',
    description:
      'With `ttlSeconds` the hold ends by itself, by the clock of the database; with null it is ' +
      'held until it is committed or released.',
    answers: made('The reservation.', reservationShown, true),
    refuses: [
      'not-found',
      'unknown-location',
      'insufficient-stock',
      'location-retired',
      'reservation-limit',
    ],
    example: { location: 'A-01', quantity: 10, ttlSeconds: 600, reference: 'order 4711' },
  },
  'GET /v1/skus/{sku}/reservations/{id}': {
    id: 'getReservation',
    tag: 'Reservations',
    summary: 'Show a reservation',
    description: 'Also when it has ended.',
    answers: shown('The reservation.', reservationShown, true),
    refuses: ['unknown-reservation'],
  },
  'PATCH /v1/skus/{sku}/reservations/{id}': {
    id: 'changeReservation',
    tag: 'Reservations',
    summary: 'Change a reservation',
    description:
      'All or nothing. Only what it takes more than before has to be there. A refused change ' +
      'leaves the expiry as it was.',
    answers: shown('The reservation as changed.', reservationShown, true),
    refuses: [
      ...ended,
      'unknown-location',
      'insufficient-stock',
      'location-retired',
      'version-mismatch',
    ],
    honoursIfMatch: true,
    example: { quantity: 8, ttlSeconds: 1200 },
  },
  'POST /v1/skus/{sku}/reservations/{id}/commit': {
    id: 'commitReservation',
    tag: 'Reservations',
    summary: 'Ship what is held',
    description: 'All of it, or `quantity` of it; the rest stays held.',
    answers: shown('The reservation after it, and the shipment.', committedShown, true),
    refuses: [...ended, 'reservation-exceeded', 'insufficient-stock'],
    example: { quantity: 4 },
  },
  'DELETE /v1/skus/{sku}/reservations/{id}': {
    id: 'releaseReservation',
    tag: 'Reservations',
    summary: 'Release a reservation',
    description: 'Once more gives the same answer.',
    answers: shown('The reservation, released.', reservationShown, true),
    refuses: ['unknown-reservation', 'reservation-expired', 'reservation-committed'],
  },
  'GET /v1/reservations': {
    id: 'listReservations',
    tag: 'Reservations',
    summary: 'List the reservations under a reference',
    answers: shown(
      'A page of reservations, newest first, also ended.',
      pageShown(reservationShown),
    ),
    refuses: [],
  },
};
