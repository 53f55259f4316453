/**
 * Carriers at one slot: random sequences of holding, confirming, cancelling and lapsing, through
 * processes that die, over a database whose answers get lost; then calm, in which each gets its
 * answer, asks once more, and what is not confirmed has to be free again.
 */
import type { HoldId } from '../../src/domain/dock-slot.ts';
import { createDock } from '../../src/inventory/dock.ts';
import { holdIdOf } from '../../src/inventory/dock-ids.ts';
import type { Dock, HoldAnswer } from '../../src/inventory/dock-ports.ts';
import { actionId } from '../support/actions.ts';
import { gated } from '../support/gate.ts';
import type { MemoryDock } from '../support/dock-world.ts';
import { emptySlot, memoryDock, toChange, toHold } from '../support/dock-world.ts';
import type { DockModel } from './dock-model.ts';
import { dockModel } from './dock-model.ts';
import type { Random } from './random.ts';
import { randomFrom } from './random.ts';
import type { Life, Stage } from './stage.ts';
import { setStage } from './stage.ts';

interface Wish {
  readonly key: string;
  readonly kind: 'hold' | 'confirm' | 'cancel';
  /** The key of the hold; that of the wish itself where it holds. */
  readonly of: string;
  readonly seats: number;
  /** Sent by so many at once. */
  readonly copies: number;
}

interface DockScene {
  readonly capacity: number;
  readonly startsAfterMs: number;
  readonly processes: number;
  readonly faults: number;
  readonly faultRate: number;
  readonly leaps: number;
  readonly wishes: readonly Wish[];
}

/** What takes the place of the database's calls. */
export type DockMutant = (ports: MemoryDock['ports'], dock: MemoryDock) => MemoryDock['ports'];

const holdSeconds = 1;
const stormLasts = 20_000;
const calmLasts = 60_000;

function sceneOf(random: Random): DockScene {
  const keys = ['h1', 'h2', 'h3', 'h4'].slice(0, 2 + random.below(3));
  const later = Array.from({ length: 1 + random.below(4) }, (_, index): Wish => {
    const kind = random.chance(0.7) ? 'confirm' : 'cancel';
    const of = keys[random.below(keys.length)] ?? 'h1';
    return { key: `k${index}`, kind, of, seats: 1, copies: 1 + random.below(2) };
  });
  return {
    capacity: 1 + random.below(3),
    startsAfterMs: random.chance(0.2) ? 500 + random.below(4_000) : 3_600_000,
    processes: 1 + random.below(2),
    faults: random.below(4),
    faultRate: 0.05 + random.next() * 0.2,
    leaps: random.below(4),
    wishes: [
      ...keys.map((key): Wish => {
        const copies = 1 + random.below(2);
        return { key, kind: 'hold', of: key, seats: random.chance(0.7) ? 1 : 2, copies };
      }),
      ...later,
    ],
  };
}

/** @returns what is wrong; nothing when all is well. */
export async function playDock(seed: number, mutant?: DockMutant): Promise<readonly string[]> {
  const scene = sceneOf(randomFrom(seed));
  const stage = setStage(randomFrom(~seed));
  const dock: MemoryDock = memoryDock(stage.clock, (change) => {
    model.swapped(change);
  });
  const model = dockModel(scene.capacity, stage.clock, () => dock.entries);
  const slot = emptySlot({
    capacity: scene.capacity,
    startsAt: stage.clock.now + scene.startsAfterMs,
  });
  dock.slots.set(slot.id, slot);
  const pick = startProcesses(stage, scene.processes, mutant?.(dock.ports, dock) ?? dock.ports);
  const ask = (wish: Wish): Promise<HoldAnswer> => untilDefinite(stage, pick, slot.id, wish);
  const told = new Map<Wish, HoldAnswer[]>();
  const { faults, faultRate, leaps } = scene;
  const storm = { faults, faultRate, leaps };
  const first = scene.wishes.map(async (wish) => {
    const answers = Array.from({ length: wish.copies }, () => ask(wish));
    told.set(wish, await Promise.all(answers));
  });
  if (!(await within(stage, first, storm, stormLasts))) {
    if (!(await within(stage, first, calm(), calmLasts))) return ['somebody got no answer in time'];
  }
  const wrong = [
    ...model.faults,
    ...answerFaults(told, model, slot.id),
    ...traceFaults(dock, model),
  ];
  if (wrong.length > 0) return wrong;
  return [
    ...(await repeatFaults(stage, ask, told, model)),
    ...(await leakFaults(stage, ask, scene, model)),
    ...model.faults,
  ];
}

const calm = () => ({ faults: 0, faultRate: 0, leaps: 0 });

/** Whether all of it was done in time. */
async function within(
  stage: Stage,
  work: readonly Promise<unknown>[],
  weather: Parameters<Stage['run']>[1],
  milliseconds: number,
): Promise<boolean> {
  let left: unknown = work;
  const done = Promise.all(work).then(
    () => (left = undefined),
    (defect: unknown) => (left = { defect }),
  );
  const isOver = (): boolean => left !== work;
  const inTime = await stage.run(isOver, weather, milliseconds);
  if (!inTime) return false;
  const outcome = await done;
  if (outcome !== undefined) throw outcome.defect;
  return true;
}

interface Process {
  readonly life: Life;
  readonly dock: Dock;
}

/** Processes that are born again when they die. @returns any of them. */
function startProcesses(stage: Stage, count: number, ports: MemoryDock['ports']): () => Process {
  const processes: Process[] = [];
  const start = (index: number): void => {
    const life = stage.born(`P${index}`);
    const staged = gated(ports, (name, carryOut) =>
      stage.call(life, { name, about: () => '', carryOut }),
    );
    const times = { holdSeconds, availabilitySeconds: 10, deadlineMilliseconds: 900 };
    const parts = { ...portsOf(staged), timer: stage.timer(life) };
    processes[index] = { life, dock: createDock(parts, times) };
    life.onDeath(() => {
      start(index);
    });
  };
  for (let index = 0; index < count; index += 1) start(index);
  return () => {
    const process = processes[stage.random.below(processes.length)];
    if (process === undefined) throw new RangeError('there is no process');
    return process;
  };
}

/** Read one by one, so that each is behind the gate. */
function portsOf(staged: MemoryDock['ports']): MemoryDock['ports'] {
  const { slots, bookings, appointments, actions, answers, mark } = staged;
  return { slots, bookings, appointments, actions, answers, mark };
}

/** Sends the same request until it is told something definite. */
async function untilDefinite(
  stage: Stage,
  pick: () => Process,
  slot: ReturnType<typeof emptySlot>['id'],
  wish: Wish,
): Promise<HoldAnswer> {
  for (;;) {
    await stage.turn();
    const { life, dock } = pick();
    const answer = await new Promise<HoldAnswer | undefined>((resolve, reject) => {
      life.onDeath(() => {
        resolve(undefined);
      });
      send(dock, slot, wish).then(resolve, reject);
    });
    if (answer !== undefined && answer.kind !== 'unavailable') return answer;
    await stage.timer().pause(50);
  }
}

function send(
  dock: Dock,
  slot: ReturnType<typeof emptySlot>['id'],
  { kind, key, of, seats }: Wish,
): Promise<HoldAnswer> {
  const hold: HoldId = holdIdOf(slot, actionId(of));
  switch (kind) {
    case 'hold':
      return dock.hold(toHold(slot, key, seats));
    case 'confirm':
      return dock.confirm(toChange('confirm', hold, key));
    case 'cancel':
      return dock.cancel(toChange('cancel', hold, key));
  }
}

type Told = ReadonlyMap<Wish, readonly HoldAnswer[]>;

/** What callers were told is what happened. */
function answerFaults(
  told: Told,
  { holds }: DockModel,
  slot: ReturnType<typeof emptySlot>['id'],
): readonly string[] {
  const faults: string[] = [];
  for (const [{ key, kind, of }, answers] of told) {
    const hold = holds.get(holdIdOf(slot, actionId(of)));
    const positive = answers.flatMap((answer) => (answer.kind === 'hold' ? [answer] : []));
    const shown = new Set(positive.map(({ booking, status }) => JSON.stringify([booking, status])));
    if (shown.size > 1) faults.push(`${key}: was told ${shown.size} different things`);
    const acted = hold?.by.includes(actionId(key)) === true;
    const [first] = positive;
    const isEffect = first?.status === wanted[kind];
    if (acted && first === undefined) faults.push(`${key}: was refused and took effect`);
    if (first !== undefined && hold === undefined) faults.push(`${key}: acted on no hold`);
    if (kind === 'hold' && first !== undefined && !acted) faults.push(`${key}: has no hold`);
    if (isEffect && kind === 'confirm' && hold?.state === 'held') {
      faults.push(`${key}: was told of a confirmation that is none`);
    }
    if (isEffect && kind === 'cancel' && hold?.state !== 'cancelled') {
      faults.push(`${key}: was told of a cancellation that is none`);
    }
  }
  return faults;
}

const wanted = { hold: 'held', confirm: 'confirmed', cancel: 'cancelled' } as const;

/** Once everybody has an answer, the ledger tells of every hold, and of no other. */
function traceFaults({ entries }: MemoryDock, { holds }: DockModel): readonly string[] {
  const faults: string[] = [];
  for (const [hold, { state, seats }] of holds) {
    const events = state === 'held' ? ['held'] : ['held', state];
    for (const event of events) {
      const entry = entries.get(`${hold} ${event}`);
      if (entry?.booking.seats !== seats) faults.push(`${hold} ${event} is not in the ledger`);
    }
  }
  for (const [id, { booking, event }] of entries) {
    const state = holds.get(booking.hold)?.state;
    if (state === undefined) faults.push(`${id} tells of a hold that never was`);
    if (event === 'lapsed' && state !== 'held')
      faults.push(`${id} tells of a hold that is ${state}`);
  }
  return faults;
}

/** Whoever was told something is told the same again, and nothing is written. */
async function repeatFaults(
  stage: Stage,
  ask: (wish: Wish) => Promise<HoldAnswer>,
  told: Told,
  model: DockModel,
): Promise<readonly string[]> {
  const faults: string[] = [];
  const writes = model.writes();
  const again = Array.from(told, async ([wish, answers]) => {
    const first = answers.find(({ kind }) => kind === 'hold');
    if (first === undefined) return;
    const answer = await ask(wish);
    if (JSON.stringify(answer) !== JSON.stringify({ ...first, replayed: true })) {
      faults.push(`${wish.key}: is told something else later: ${JSON.stringify(answer)}`);
    }
  });
  if (!(await within(stage, again, calm(), calmLasts))) faults.push('a repeat got no answer');
  if (model.writes() !== writes) faults.push('a repeat wrote something');
  return faults;
}

/** When holds have had their time, all that is not confirmed can be had, and no seat more. */
async function leakFaults(
  stage: Stage,
  ask: (wish: Wish) => Promise<HoldAnswer>,
  { capacity, startsAfterMs }: DockScene,
  model: DockModel,
): Promise<readonly string[]> {
  if (startsAfterMs < 3_600_000) return [];
  await within(stage, [stage.timer().pause(holdSeconds * 1_000 + 1)], calm(), calmLasts);
  const free = capacity - model.taken(stage.clock.now);
  const wish = { kind: 'hold', copies: 1 } as const;
  const answers: HoldAnswer[] = [];
  const asking = async (): Promise<void> => {
    if (free > 0) answers.push(await ask({ ...wish, key: 'all', of: 'all', seats: free }));
    answers.push(await ask({ ...wish, key: 'more', of: 'more', seats: 1 }));
  };
  await within(stage, [asking()], calm(), calmLasts);
  const outcomes = answers.map((answer) =>
    answer.kind === 'refused' ? answer.refusal.code : answer.kind,
  );
  const right = [...(free > 0 ? ['hold'] : []), 'capacity-exhausted'];
  return outcomes.join() === right.join()
    ? []
    : [`${free} are free, and asking for them: ${outcomes.join()}`];
}
