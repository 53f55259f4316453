/** Any ports behind one gate: a process dies before or after one chosen call, and makes none afterwards. */
import type { CrashPoint } from './faulty-ports.ts';
import { Crash } from './faulty-ports.ts';

/** Stands before each call of a port. */
export type Gate = (name: string, call: () => Promise<unknown>) => Promise<unknown>;

/** The port with the gate before each of its functions. */
export function gated<T extends object>(gate: Gate, name: string, port: T): T {
  return new Proxy(port, {
    get: (target, key): unknown => {
      const member: unknown = Reflect.get(target, key);
      if (typeof member !== 'function') return member;
      return (...args: readonly unknown[]) =>
        gate(`${name}.${String(key)}`, async () => {
          const result: unknown = await Reflect.apply(member, target, args);
          return result;
        });
    },
  });
}

export interface CrashGate {
  readonly gate: Gate;
  /** The names of the calls that were made, in order. */
  readonly calls: readonly string[];
}

/** Without a crash point it only takes down the calls. */
export function crashGate(point?: CrashPoint): CrashGate {
  const calls: string[] = [];
  let isDead = false;
  const die = (where: string): Crash => {
    isDead = true;
    return new Crash(where);
  };
  return {
    calls,
    gate: async (name, call) => {
      if (isDead) throw new Crash('the process is gone');
      calls.push(name);
      const isPoint = point?.call === calls.length;
      if (isPoint && point.side === 'before') throw die(`before ${name}`);
      const result = await call();
      if (isPoint) throw die(`after ${name}`);
      return result;
    },
  };
}

/** Loses the request or the answer of one call; the caller cannot tell which. */
export function losingGate(
  at: number,
  what: 'request' | 'answer',
): { readonly gate: Gate; readonly calls: () => number } {
  let calls = 0;
  return {
    calls: () => calls,
    gate: async (name, call) => {
      calls += 1;
      if (calls !== at) return call();
      if (what === 'answer') await call();
      return { kind: 'unknown', cause: `the ${what} of ${name} was lost` };
    },
  };
}
