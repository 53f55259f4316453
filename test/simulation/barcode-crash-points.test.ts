/**
 * A definition whose process dies before or after each of its calls, and another SKU's that wants
 * the same code, before the claim is over or after: the code has one of them, and a repeat of the
 * definition says which.
 */
import { describe, expect, it } from 'vitest';
import type { ActionAnswer } from '../../src/inventory/answer.ts';
import { createInventory } from '../../src/inventory/create-inventory.ts';
import { action, definition, instant } from '../support/actions.ts';
import type { CrashPoint } from '../support/gate.ts';
import { Crash, crashGate, gated, sides } from '../support/gate.ts';
import { memoryStock } from '../support/memory-stock.ts';
import { shortTimer } from '../support/short-timer.ts';
import { codeFaults } from './barcodes.ts';

const wanted = 'wanted';

function defining(id: string, codes: readonly string[], key: string) {
  const barcodes = codes.map((code) => ({ code }));
  return action({ type: 'define', definition: { ...definition, barcodes } } as const, { id, key });
}

const isOwner = (answer: ActionAnswer | undefined): boolean => answer?.kind === 'defined';

interface Course {
  readonly stands: boolean;
  /** How long after the death somebody else asks for the code. */
  readonly after: number;
}

async function site({ stands }: Course) {
  const clock = { now: instant(1_000_000) };
  const faults: string[] = [];
  const stock = memoryStock({
    clock,
    locations: [],
    onDefined: () => faults.push(...codeFaults(stock.skus, stock.codes)),
  });
  const process = (point?: CrashPoint) => {
    const { gate, calls } = crashGate(point);
    const ports = { ...gated(stock.ports, gate), timer: shortTimer() };
    return { post: createInventory(ports, 500).post, calls };
  };
  if (stands) await process().post(defining('A', ['dropped'], 'before'));
  return { clock, stock, faults, process };
}

/** @returns undefined where the process took the answer with it. */
async function survived(answer: Promise<ActionAnswer>): Promise<ActionAnswer | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Crash) return undefined;
    throw error;
  }
}

async function faultsAt(course: Course, point: CrashPoint): Promise<readonly string[]> {
  const { clock, stock, faults, process } = await site(course);
  const own = defining('A', [wanted, 'own'], 'own');
  await survived(process(point).post(own));
  clock.now = instant(clock.now + course.after);
  const other = await process().post(defining('B', [wanted], 'other'));
  clock.now = instant(clock.now + 20_000);
  const again = await process().post(own);
  const found = [...faults, ...codeFaults(stock.skus, stock.codes)];
  if (again.kind === 'unavailable') found.push('the repeat has no answer');
  if (isOwner(other) === isOwner(again)) found.push('not exactly one has the code');
  const claims = Array.from(stock.codes.values()).filter(({ code }) => code === wanted);
  if (claims.length !== 1) found.push('the code has no claim');
  const free = isOwner(again) ? 'dropped' : 'own';
  clock.now = instant(clock.now + 20_000);
  const taken = await process().post(defining('C', [free], 'free'));
  const isFree = taken.kind === 'defined' || (free === 'dropped' && !course.stands);
  if (!isFree) found.push(`${free} belongs to nobody and is ${taken.kind}`);
  return found;
}

const courses: readonly Course[] = [false, true].flatMap((stands) =>
  [0, 4_000, 10_001].map((after) => ({ stands, after })),
);

describe.each(courses)('a definition with codes, %j', (course) => {
  it('leaves each code to one SKU, wherever its process died', async () => {
    const { process } = await site(course);
    const whole = process();
    await whole.post(defining('A', [wanted, 'own'], 'own'));
    expect(whole.calls.length).toBeGreaterThanOrEqual(7);
    for (const [index] of whole.calls.entries()) {
      for (const side of sides) {
        const point = { call: index + 1, side };
        expect(await faultsAt(course, point), JSON.stringify(point)).toEqual([]);
      }
    }
  });
});
