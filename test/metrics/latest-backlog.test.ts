import { describe, expect, it } from 'vitest';
import type { Backlog } from '../../src/inventory/backlog.ts';
import type { Read } from '../../src/inventory/ports.ts';
import { createLatestBacklog } from '../../src/metrics/latest-backlog.ts';

const backlog = (remindersDue: number): Backlog => ({
  sagas: [],
  remindersDue,
  remindersSuspended: 0,
});

/** Time and database as the test has them. */
function world() {
  let now = 0;
  const waiting: { readonly at: number; readonly then: () => void }[] = [];
  const answers: ((answer: Read<Backlog>) => void)[] = [];
  const timer = {
    monotonic: () => now,
    after: (milliseconds: number, then: () => void) => {
      const alarm = { at: now + milliseconds, then };
      waiting.push(alarm);
      return () => {
        waiting.splice(waiting.indexOf(alarm), 1);
      };
    },
  };
  const latest = createLatestBacklog(() => new Promise((resolve) => answers.push(resolve)), timer);
  return {
    latest,
    asked: () => answers.length,
    waiting: () => waiting.length,
    answer: (answer: Read<Backlog>) => {
      for (const give of answers) give(answer);
    },
    pass: (milliseconds: number) => {
      now += milliseconds;
      for (const alarm of waiting.filter(({ at }) => at <= now)) alarm.then();
    },
  };
}

describe('the backlog that a scrape shows', () => {
  it('is asked for once while the answer is fresh, and again after', async () => {
    const { latest, asked, waiting, answer, pass } = world();
    const first = latest.get();
    const beside = latest.get();
    answer({ kind: 'found', value: backlog(3) });
    expect(await first).toEqual(backlog(3));
    expect(await beside).toEqual(backlog(3));
    expect([asked(), waiting()]).toEqual([1, 0]);
    pass(4_999);
    expect(await latest.get()).toEqual(backlog(3));
    expect(asked()).toBe(1);
    pass(1);
    void latest.get();
    expect(asked()).toBe(2);
  });

  it('is the last one while the database is silent, until that is too old', async () => {
    const { latest, asked, answer, pass } = world();
    const first = latest.get();
    answer({ kind: 'found', value: backlog(3) });
    await first;
    pass(10_000);
    const silent = latest.get();
    pass(500);
    expect(await silent).toEqual(backlog(3));
    pass(60_000);
    const old = latest.get();
    pass(500);
    expect(await old).toBeUndefined();
    expect(asked()).toBe(2);
  });

  it('is nothing where the database fails, and that is counted', async () => {
    const { latest, answer } = world();
    const failing = latest.get();
    answer({ kind: 'unknown', cause: 'gone' });
    expect(await failing).toBeUndefined();
    expect(latest.failures()).toBe(1);
    const defective = createLatestBacklog(() => Promise.reject(new Error('a defect')), {
      monotonic: () => 0,
      after: () => () => undefined,
    });
    expect(await defective.get()).toBeUndefined();
    expect(defective.failures()).toBe(1);
  });
});
