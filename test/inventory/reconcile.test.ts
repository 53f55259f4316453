import { describe, expect, it } from 'vitest';
import type { Read, Recorded } from '../../src/inventory/ports.ts';
import type { ReconcilerParts } from '../../src/inventory/reconcile.ts';
import type { Reminder } from '../../src/inventory/reminder-ports.ts';
import { createReconciler } from '../../src/inventory/reconcile.ts';
import type { Delivery } from '../../src/inventory/reminder-delivery.ts';
import { actor, instant } from '../support/actions.ts';
import { receiver, reminderId } from '../support/reminders.ts';

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

  it('is set where none is set', async () => {
    const { made, armed } = reconciler({ kind: 'found', value: { more: false } });
    await made.arm();
    expect(armed).toEqual(['round']);
  });

  it.each([
    ['armed', []],
    ['suspended', ['round']],
  ] as const)('that stands and is %s is set anew by a start: %j', async (state, expected) => {
    const at = instant(1);
    const reminder: Reminder = {
      id: reminderId('~reconcile/round'),
      armedBy: 'a start before',
      receiver: receiver('~reconcile'),
      missed: 'latest',
      firstDueAt: at,
      dueAt: at,
      attempts: 0,
      state,
    };
    const find: ReconcilerParts['store']['find'] = () =>
      Promise.resolve({ kind: 'found', value: { reminder, now: at } });
    const { made, armed } = reconciler(
      { kind: 'found', value: { more: false } },
      { store: { find } },
    );
    expect(await made.arm()).toEqual(recorded);
    expect(armed).toEqual(expected);
  });

  it('is not set while it cannot be known whether one stands', async () => {
    const away = { kind: 'unknown', cause: 'away' } as const;
    const { made, armed } = reconciler(
      { kind: 'found', value: { more: false } },
      { store: { find: () => Promise.resolve(away) } },
    );
    expect(await made.arm()).toEqual(away);
    expect(armed).toEqual([]);
  });
});
