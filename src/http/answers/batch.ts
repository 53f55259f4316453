/** The outcomes of a batch, as its answer shows them. */
import { z } from 'zod';
import type { ProblemCode } from '../problem.ts';
import { movementShown } from './movement.ts';
import { problemsShown } from './problem.ts';

/** Why a movement is refused, once it has been read. */
export const movementRefusals: readonly ProblemCode[] = [
  'insufficient-stock',
  'level-limit',
  'location-limit',
  'location-retired',
  'unknown-sku',
  'unknown-location',
  'unknown-unit',
  'same-location',
];

const idempotencyKey = z
  .string()
  .nullable()
  .meta({ description: 'As it was sent; null where none was.' });

const problem = problemsShown([
  ...movementRefusals,
  'idempotency-key-missing',
  'idempotency-key-invalid',
  'idempotency-key-reused',
  'validation',
  'unknown-field',
  'unavailable',
]);

export const batchShown = z
  .strictObject({
    results: z.array(
      z.union([
        z.strictObject({
          idempotencyKey,
          status: z.union([z.literal(200), z.literal(201)]),
          movement: movementShown,
        }),
        z.strictObject({ idempotencyKey, status: z.int().min(400).max(599), problem }),
      ]),
    ),
  })
  .meta({ id: 'BatchOutcome' });
