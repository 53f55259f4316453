import { describe, expect, it } from 'vitest';
import type { Read, Recorded } from '../../src/inventory/ports.ts';
import type { ReconcilerParts } from '../../src/inventory/reconcile.ts';
import { createReconciler } from '../../src/inventory/reconcile.ts';
import type { Delivery } from '../../src/inventory/reminder-delivery.ts';
import { actor, instant } from '../support/actions.ts';
import { reminderId } from '../support/reminders.ts';

const recorded: Recorded = { kind: 'recorded' };

function delivery(): Delivery {
  const at = { dueAt: instant(1), sentAt: instant(1) };
  return {
    deliveryId: 'd',
    id: reminderId('~reconcile/round'),
    actor,
    name: 'round',
    attempt: 1,
    ...at,
  };
}

function reconciler(
  settled: Read<{ readonly more: boolean }>,
  parts: Partial<ReconcilerParts> = {},
) {
  const armed: string[] = [];
  const resumed: string[] = [];
  const made = createReconciler({
    reminders: {
      arm: ({ name }) => {
        armed.push(name);
        return Promise.resolve(recorded);
      },
      disarm: () => Promise.resolve(recorded),
    },
    store: { find: () => Promise.resolve({ kind: 'missing' }) },
    settleSome: () => Promise.resolve(settled),
    resumeAbandoned: ['receipt', 'count'].map((kind) => () => {
      resumed.push(kind);
      return Promise.resolve(0);
    }),
    ...parts,
  });
  const deliver = () => made.deliver(delivery(), new AbortController().signal);
  return { made, deliver, armed, resumed };
}

describe('a round of the reconciler', () => {
  it('carries on the sagas of every kind and is done', async () => {
    const { deliver, armed, resumed } = reconciler({ kind: 'found', value: { more: false } });
    expect(await deliver()).toEqual({ kind: 'done' });
    expect(resumed).toEqual(['receipt', 'count']);
    expect(armed).toEqual([]);
  });

  it('asks to be called again soon where more waits than a round sees to', async () => {
    const { deliver, armed } = reconciler({ kind: 'found', value: { more: true } });
    expect(await deliver()).toEqual({ kind: 'done' });
    expect(armed).toEqual(['rest']);
  });

  it('fails, and so is tried again, while the database cannot be asked', async () => {
    const { deliver } = reconciler({ kind: 'unknown', cause: 'away' });
    expect(await deliver()).toEqual({ kind: 'failed', cause: 'away' });
  });

  it('is set where none is set, and left alone where one stands', async () => {
    const { made, armed } = reconciler({ kind: 'found', value: { more: false } });
    await made.arm();
    expect(armed).toEqual(['round']);
  });
});
