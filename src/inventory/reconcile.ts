/**
 * The reconciler: looks now and then for what was left behind, and has it finished by those who
 * would have finished it.
 *
 * 1. It repairs nothing itself. A movement without its ledger entry is healed as every reader heals
 *    it; a saga that nobody carries on is resumed as an alarm would resume it.
 * 2. There is one round at a time, whatever the number of processes: it is a recurring reminder of
 *    the service's own. It is set where there is none, and a repeat changes nothing that matters.
 * 3. A round sees to so many SKUs at most. Where more wait, it asks to be called again soon, so
 *    that a large backlog is spread out and a round stays well within its lease.
 */
import { reconcileActor } from '../domain/ids.ts';
import { reminderIdOf } from '../domain/reminder.ts';
import type { Read, Recorded } from './ports.ts';
import type { Deliver, Delivered } from './reminder-delivery.ts';
import type { ReminderStore } from './reminder-ports.ts';
import type { Alarms } from './reminders.ts';

const every = 'PT5M';
const firstAfterMilliseconds = 30_000;
const soonMilliseconds = 1_000;
const skusARound = 200;

export interface ReconcilerParts {
  readonly reminders: Alarms;
  readonly store: Pick<ReminderStore, 'find'>;
  /** Heals at most so many SKUs (1). @returns whether more wait. */
  readonly settleSome: (limit: number) => Promise<Read<{ readonly more: boolean }>>;
  /** Each carries on the abandoned sagas of one kind. */
  readonly resumeAbandoned: readonly (() => Promise<number>)[];
  readonly skusARound?: number;
}

export interface Reconciler {
  /** Sets the rounds where none are set (2). */
  readonly arm: () => Promise<Recorded>;
  /** What a due round calls. */
  readonly deliver: Deliver;
}

const round = { actor: reconcileActor, name: 'round' };
const rest = { actor: reconcileActor, name: 'rest' };

export function createReconciler(parts: ReconcilerParts): Reconciler {
  const { reminders, store } = parts;
  return {
    arm: async () => {
      const id = reminderIdOf(round);
      if (id === undefined) throw new TypeError('the round has a name');
      const standing = await store.find(id);
      if (standing.kind === 'unknown') return standing;
      // A suspended round repairs nothing more, in any process; what made it fail ten times may have
      // been the version that was stopped, so a start sets it anew.
      const goesOn = standing.kind === 'found' && standing.value.reminder.state === 'armed';
      if (goesOn) return { kind: 'recorded' };
      const due = { afterMilliseconds: firstAfterMilliseconds };
      return reminders.arm({ ...round, due, recurring: { every } });
    },
    deliver: () => reconcile(parts),
  };
}

async function reconcile(parts: ReconcilerParts): Promise<Delivered> {
  await Promise.all(parts.resumeAbandoned.map((resume) => resume()));
  const settled = await parts.settleSome(parts.skusARound ?? skusARound);
  if (settled.kind === 'unknown') return { kind: 'failed', cause: settled.cause };
  if (!settled.value.more) return { kind: 'done' };
  const due = { afterMilliseconds: soonMilliseconds };
  const asked = await parts.reminders.arm({ ...rest, due });
  return asked.kind === 'unknown' ? { kind: 'failed', cause: asked.cause } : { kind: 'done' };
}
