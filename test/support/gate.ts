/** Ports behind a gate: every call of theirs goes through one function, which decides its fate. */

/** Calls the port when it likes, or not at all. */
export type Gate = (name: string, call: () => Promise<unknown>) => Promise<unknown>;

export function gated<T extends object>(ports: T, gate: Gate): T {
  return new Proxy(ports, {
    get: (target, member) => {
      const port: unknown = Reflect.get(target, member);
      return typeof port === 'object' && port !== null
        ? gatedPort(String(member), port, gate)
        : port;
    },
  });
}

function gatedPort<T extends object>(name: string, port: T, gate: Gate): T {
  return new Proxy(port, {
    get: (target, member) => {
      const method: unknown = Reflect.get(target, member);
      if (typeof method !== 'function') return method;
      return (...given: readonly unknown[]) =>
        gate(`${name}.${String(member)}`, async () => {
          const answer: unknown = await Reflect.apply(method, target, given);
          return answer;
        });
    },
  });
}

export class Crash extends Error {}

export interface CrashPoint {
  /** 1 is the first call. */
  readonly call: number;
  readonly side: 'before' | 'after';
}

/** A process that dies at a point, and makes no call afterwards. */
export function crashGate(point?: CrashPoint): { readonly gate: Gate; readonly calls: string[] } {
  const calls: string[] = [];
  let dead = false;
  return {
    calls,
    gate: async (name, call) => {
      if (dead) throw new Crash('the process is gone');
      calls.push(name);
      const isPoint = point?.call === calls.length;
      if (isPoint && point.side === 'before') {
        dead = true;
        throw new Crash(`before ${name}`);
      }
      const answer = await call();
      if (isPoint) {
        dead = true;
        throw new Crash(`after ${name}`);
      }
      return answer;
    },
  };
}

/** @returns undefined where its process died; any other error is thrown. */
export async function unlessCrashed<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Crash) return undefined;
    throw error;
  }
}

export const sides = ['before', 'after'] as const;
