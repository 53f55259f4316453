/**
 * The stage on which processes run: it decides which pending call comes next, what becomes of it,
 * and when time passes.
 *
 * 1. Nothing happens by itself. A call of a port waits until the stage picks it, a pause ends when
 *    the stage lets its time come, and between two steps every continuation has run.
 * 2. Whatever is decided comes out of one seeded generator, so a seed replays exactly.
 * 3. A call takes effect in one indivisible step, with its answer or at some other time than it.
 * 4. A process that died makes no call any more and gets no answer; what it had sent may arrive.
 */
import type { Instant } from '../../src/domain/ids.ts';
import { parseInstant } from '../../src/domain/ids.ts';
import type { Timer } from '../../src/inventory/ports.ts';
import type { Random } from './random.ts';

/** What becomes of a call. */
export type Fate =
  | 'ok'
  /** Done now; the answer comes later. */
  | 'slow'
  | 'fail-before'
  | 'fail-after'
  /** The answer is an error, and then it is done all the same. */
  | 'apply-late'
  /** Of a bulk insertion some arrives, and nobody learns which. */
  | 'in-part'
  | 'crash-before'
  | 'crash-after';

const faults = [
  'fail-before',
  'fail-after',
  'apply-late',
  'in-part',
  'crash-before',
  'crash-after',
] as const satisfies readonly Fate[];

/** One life of a process, from its start to its death. */
export interface Life {
  readonly name: string;
  readonly isAlive: () => boolean;
  readonly onDeath: (then: () => void) => void;
}

export interface SentCall {
  readonly name: string;
  /** For the trace. */
  readonly about: () => string;
  readonly carryOut: () => Promise<unknown>;
}

interface Event {
  readonly life: Life | undefined;
  readonly happen: () => void;
  /** What of it may happen after the death of its life. */
  readonly afterDeath?: () => void;
}

interface Due extends Event {
  readonly at: number;
}

/** The fates of single calls, by their number; 1 is the first. */
export type Fates = ReadonlyMap<number, Fate>;

export interface Weather {
  /** Where it is given nothing else goes wrong, and no answer is slow. */
  readonly fates?: Fates;
  /** How many calls may go wrong. */
  faults: number;
  /** How often a call goes wrong while any may. */
  readonly faultRate: number;
  /** How many steps time may leap. */
  leaps: number;
}

export interface Stage {
  readonly random: Random;
  /** The database's clock. */
  readonly clock: { readonly now: Instant };
  /** How many steps were taken. */
  readonly steps: () => number;
  /** How many calls were carried out, or failed. */
  readonly calls: () => number;
  readonly isPartial: () => boolean;
  readonly born: (name: string) => Life;
  readonly die: (life: Life) => void;
  /** Sends a call on its way. */
  readonly call: (life: Life, call: SentCall) => Promise<unknown>;
  /** Waits for its turn. */
  readonly turn: () => Promise<void>;
  readonly timer: (life?: Life) => Timer;
  /** Takes steps until it is over. @returns whether it was over in time. */
  readonly run: (isOver: () => boolean, weather: Weather, milliseconds: number) => Promise<boolean>;
  readonly note: (line: () => string) => void;
}

const began = 1_700_000_000_000;
const leapRate = 0.06;
const longestLeap = 1_600;
const slowRate = 0.2;

/** @param note takes down a line of the trace; left out where nobody reads it. */
export function setStage(random: Random, note?: (line: string) => void): Stage {
  const ready: Event[] = [];
  const dues: Due[] = [];
  const mourners = new Map<Life, (() => void)[]>();
  let now = 0;
  let steps = 0;
  let calls = 0;
  let partial = false;
  let weather: Weather = { faults: 0, faultRate: 0, leaps: 0 };

  const noted = (line: () => string): void =>
    note?.(`${String(Math.floor(now)).padStart(6)} ms  ${line()}`);
  const dueAfter = (milliseconds: number, event: Event): (() => void) => {
    if (event.life !== undefined && !mourners.has(event.life)) return () => undefined;
    const due: Due = { ...event, at: now + Math.max(0, milliseconds) };
    const after = dues.findIndex(({ at }) => at > due.at);
    dues.splice(after === -1 ? dues.length : after, 0, due);
    return () => {
      const index = dues.indexOf(due);
      if (index !== -1) dues.splice(index, 1);
    };
  };

  function fateOf(isBulk: boolean): Fate {
    calls += 1;
    if (weather.fates !== undefined) return weather.fates.get(calls) ?? 'ok';
    if (weather.faults > 0 && random.chance(weather.faultRate)) {
      weather.faults -= 1;
      const fate = random.pick(faults);
      return fate === 'in-part' && !isBulk ? 'fail-after' : fate;
    }
    return random.chance(slowRate) ? 'slow' : 'ok';
  }

  function die(life: Life): void {
    const waiting = mourners.get(life);
    if (waiting === undefined) return;
    mourners.delete(life);
    const ofLife = ready.filter((event) => event.life === life);
    keep(ready, (event) => event.life !== life);
    keep(dues, (event) => event.life !== life);
    for (const { afterDeath } of ofLife) {
      if (afterDeath !== undefined && random.chance(0.5)) {
        ready.push({ life: undefined, happen: afterDeath });
      }
    }
    noted(() => `${life.name} dies`);
    for (const then of waiting) then();
  }

  function call(life: Life, sent: SentCall): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (!mourners.has(life)) return;
      const happen = (): void => {
        const fate = fateOf(bulkCalls.has(sent.name));
        noted(() => `${life.name} ${told(sent)}${fate === 'ok' ? '' : `  <- ${fate}`}`);
        befall(fate, { life, sent, resolve, reject });
      };
      const afterDeath = (): void => {
        noted(() => `(from a dead ${life.name}) ${told(sent)}`);
        void sent.carryOut().catch(reject);
      };
      ready.push({ life, happen, afterDeath });
    });
  }

  interface Waiting {
    readonly life: Life;
    readonly sent: SentCall;
    readonly resolve: (answer: unknown) => void;
    readonly reject: (defect: unknown) => void;
  }

  function befall(fate: Fate, { life, sent, resolve, reject }: Waiting): void {
    const { carryOut } = sent;
    const unknown = { kind: 'unknown', cause: fate };
    switch (fate) {
      case 'ok':
        carryOut().then(resolve, reject);
        return;
      case 'slow': {
        const answer = carryOut();
        ready.push({ life, happen: () => void answer.then(resolve, reject) });
        return;
      }
      case 'fail-before':
        resolve(unknown);
        return;
      case 'fail-after':
        void carryOut().catch(reject);
        resolve(unknown);
        return;
      case 'in-part':
        partial = true;
        void carryOut().catch(reject);
        partial = false;
        resolve(unknown);
        return;
      case 'apply-late': {
        const happen = (): void => {
          noted(() => `(late, from ${life.name}) ${told(sent)}`);
          void carryOut().catch(reject);
        };
        ready.push({ life: undefined, happen });
        resolve(unknown);
        return;
      }
      case 'crash-before':
        die(life);
        return;
      case 'crash-after':
        void carryOut().catch(reject);
        die(life);
        return;
    }
  }

  function step(): boolean {
    steps += 1;
    const [due] = dues;
    if (due !== undefined && due.at <= now) {
      dues.shift();
      due.happen();
      return true;
    }
    if (ready.length > 0 && weather.leaps > 0 && random.chance(leapRate)) {
      weather.leaps -= 1;
      now += random.below(longestLeap);
      noted(() => 'time passes');
      return true;
    }
    const index = random.below(ready.length);
    const event = ready[index];
    if (event !== undefined) {
      const last = ready.pop();
      if (last !== undefined && last !== event) ready[index] = last;
      now += random.below(2);
      event.happen();
      return true;
    }
    if (due === undefined) return false;
    now = due.at;
    return true;
  }

  return {
    random,
    clock: {
      get now() {
        return instantAt(began + Math.floor(now));
      },
    },
    steps: () => steps,
    calls: () => calls,
    isPartial: () => partial,
    born: (name) => {
      const life: Life = {
        name,
        isAlive: () => mourners.has(life),
        onDeath: (then) => mourners.get(life)?.push(then),
      };
      mourners.set(life, []);
      return life;
    },
    die,
    call,
    turn: () =>
      new Promise((resolve) => {
        ready.push({ life: undefined, happen: resolve });
      }),
    timer: (life) => ({
      monotonic: () => now,
      pause: (milliseconds) =>
        new Promise((resolve) => {
          dueAfter(milliseconds, { life, happen: resolve });
        }),
      after: (milliseconds, then) => dueAfter(milliseconds, { life, happen: then }),
      random: random.next,
    }),
    run: async (isOver, sky, milliseconds) => {
      weather = sky;
      const until = now + milliseconds;
      await continued();
      while (!isOver()) {
        if (now > until || !step()) return false;
        await continued();
      }
      return true;
    },
    note: noted,
  };
}

const bulkCalls: ReadonlySet<string> = new Set(['actions.claim', 'ledger.record']);

function told({ name, about }: SentCall): string {
  return `${name} ${about()}`;
}

/** Every continuation has run by then. */
function continued(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function instantAt(milliseconds: number): Instant {
  const instant = parseInstant(milliseconds);
  if (instant === undefined) throw new RangeError('the simulated clock has run out');
  return instant;
}

function keep<T>(list: T[], wanted: (item: T) => boolean): void {
  const kept = list.filter(wanted);
  list.splice(0, list.length, ...kept);
}
