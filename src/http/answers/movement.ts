/** Movements and actions, as answers show them. */
import { z } from 'zod';
import { adjustReasons, movementTypes } from '../../domain/movement-type.ts';
import type { Shown } from './shown.ts';
import { instantShown, ordinal, units } from './shown.ts';

export const reservationStates = ['held', 'expired', 'committed', 'released'] as const;

const recordShown = z
  .strictObject({
    id: z.string(),
    location: z.string(),
    quantity: units,
    expiresAt: instantShown.nullable(),
    state: z.enum(reservationStates),
  })
  .meta({ description: 'The reservation as it stood after the movement.' });

export const movementShown = z
  .strictObject({
    actionId: z.string().meta({
      description:
        "The API key's name, a slash and the caller's key; `~` begins the service's own.",
    }),
    sku: z.string(),
    ordinal,
    type: z.enum(movementTypes),
    lines: z.array(
      z.strictObject({
        location: z.string(),
        delta: units,
        onHand: units.meta({ description: 'The level after this movement.' }),
      }),
    ),
    reason: z.enum([...adjustReasons, 'count_variance']).exactOptional(),
    reference: z.string().exactOptional(),
    note: z.string().exactOptional(),
    reservation: recordShown.exactOptional(),
    reverses: z
      .string()
      .meta({ description: 'The action whose movement this one undoes.' })
      .exactOptional(),
    actor: z.string(),
    at: instantShown,
  })
  .meta({
    id: 'Movement',
    examples: [
      {
        actionId: 'admin/r1',
        sku: 'TEA-100',
        ordinal: 1,
        type: 'receive',
        lines: [{ location: 'A-01', delta: 60, onHand: 60 }],
        actor: 'admin',
        at: '2030-01-31T12:00:00.000Z',
      },
    ],
  });
export type MovementShown = Shown<typeof movementShown>;

const columns =
  'actionId,sku,ordinal,type,location,delta,onHand,reason,reference,note,reservation,reverses,actor,at';
export const csvShown = z
  .string()
  .meta({ description: `One row a line, with the head \`${columns}\`.` });
export const ndjsonShown = z.string().meta({ description: 'One movement a line, as JSON.' });
