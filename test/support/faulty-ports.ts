/** Ports that die: the process stops before or after one chosen call, and makes none afterwards. */
import type { Ports } from '../../src/inventory/ports.ts';

export interface CrashPoint {
  /** 1 is the first call. */
  readonly call: number;
  readonly side: 'before' | 'after';
}

export class Crash extends Error {}

export interface CrashingPorts {
  readonly ports: Ports;
  /** The names of the calls that were made, in order. */
  readonly calls: readonly string[];
}

/** Without a crash point it only takes down the calls. */
export function crashingPorts(ports: Ports, point?: CrashPoint): CrashingPorts {
  const calls: string[] = [];
  let dead = false;

  function watched<A extends readonly unknown[], R>(
    name: string,
    call: (...args: A) => Promise<R>,
  ): (...args: A) => Promise<R> {
    return async (...args) => {
      if (dead) throw new Crash('the process is gone');
      calls.push(name);
      const isPoint = point?.call === calls.length;
      if (isPoint && point.side === 'before') {
        dead = true;
        throw new Crash(`before ${name}`);
      }
      const result = await call(...args);
      if (isPoint) {
        dead = true;
        throw new Crash(`after ${name}`);
      }
      return result;
    };
  }

  return {
    calls,
    ports: {
      ...ports,
      skus: {
        ...ports.skus,
        read: watched('skus.read', ports.skus.read),
        create: watched('skus.create', ports.skus.create),
        swap: watched('skus.swap', ports.skus.swap),
        window: watched('skus.window', ports.skus.window),
      },
      actions: {
        claim: watched('actions.claim', ports.actions.claim),
        find: watched('actions.find', ports.actions.find),
      },
      ledger: {
        ...ports.ledger,
        record: watched('ledger.record', ports.ledger.record),
        ordinals: watched('ledger.ordinals', ports.ledger.ordinals),
        byAction: watched('ledger.byAction', ports.ledger.byAction),
      },
      answers: {
        keep: watched('answers.keep', ports.answers.keep),
        find: watched('answers.find', ports.answers.find),
      },
      locations: {
        ...ports.locations,
        read: watched('locations.read', ports.locations.read),
        find: watched('locations.find', ports.locations.find),
        create: watched('locations.create', ports.locations.create),
        redefine: watched('locations.redefine', ports.locations.redefine),
        retire: watched('locations.retire', ports.locations.retire),
      },
    },
  };
}

/** What a call's lost answer looks like: it was carried out, or it was not, and nobody can tell. */
export function losingAnswers(
  ports: Ports,
  lose: (name: string, call: number) => 'nothing' | 'request' | 'answer',
): Ports {
  let calls = 0;
  function lossy<A extends readonly unknown[], R>(
    name: string,
    call: (...args: A) => Promise<R>,
  ): (...args: A) => Promise<R | { readonly kind: 'unknown'; readonly cause: string }> {
    return async (...args) => {
      const fate = lose(name, (calls += 1));
      if (fate === 'nothing') return call(...args);
      if (fate === 'answer') await call(...args);
      return { kind: 'unknown', cause: `the ${fate} of ${name} was lost` };
    };
  }
  return {
    ...ports,
    skus: {
      ...ports.skus,
      read: lossy('skus.read', ports.skus.read),
      create: lossy('skus.create', ports.skus.create),
      swap: lossy('skus.swap', ports.skus.swap),
    },
    actions: {
      claim: lossy('actions.claim', ports.actions.claim),
      find: lossy('actions.find', ports.actions.find),
    },
    ledger: {
      ...ports.ledger,
      record: lossy('ledger.record', ports.ledger.record),
      byAction: lossy('ledger.byAction', ports.ledger.byAction),
    },
  };
}
