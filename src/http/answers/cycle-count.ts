/** Cycle counts, as answers show them. */
import { z } from 'zod';
import { reminderShown } from './reminder.ts';
import type { Shown } from './shown.ts';

const { every, timeZone, at, state, attempts, lastFailure } = reminderShown.shape;

export const cycleCountShown = z
  .strictObject({
    name: z.string(),
    locations: z.array(z.string()),
    skus: z.array(z.string()).exactOptional(),
    blind: z.boolean(),
    every: every.unwrap(),
    timeZone,
    at,
    state,
    attempts,
    lastFailure,
    setBy: z.string().meta({ description: 'On whose behalf the counts are opened.' }),
  })
  .meta({ id: 'CycleCount' });
export type CycleCountShown = Shown<typeof cycleCountShown>;

export const removedCycleCountShown = z.strictObject({
  name: z.string(),
  state: z.literal('removed'),
});
