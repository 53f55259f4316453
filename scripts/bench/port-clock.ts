/** Takes down how often the path calls each of its ports, and how long the answers take. */
import type { Ports } from '../../src/inventory/ports.ts';
import type { PortCall } from './protocol.ts';

export class PortClock {
  readonly #spent = new Map<string, { calls: number; ms: number }>();

  /** The same ports, watched; ports that are added later are watched too. */
  readonly watch = (ports: Ports): Ports => ({
    ...ports,
    skus: this.#watched('skus', ports.skus),
    actions: this.#watched('actions', ports.actions),
    ledger: this.#watched('ledger', ports.ledger),
    answers: this.#watched('answers', ports.answers),
    locations: this.#watched('locations', ports.locations),
  });

  reset(): void {
    this.#spent.clear();
  }

  calls(): PortCall[] {
    return Array.from(this.#spent, ([name, { calls, ms }]) => ({
      name,
      calls,
      meanMs: ms / calls,
    }));
  }

  #watched<P extends object>(portName: string, port: P): P {
    return new Proxy(port, {
      get: (target, property) => {
        const value: unknown = Reflect.get(target, property);
        if (typeof value !== 'function') return value;
        return async (...args: unknown[]): Promise<unknown> => {
          const started = performance.now();
          const result: unknown = await Reflect.apply(value, target, args);
          this.#add(`${portName}.${String(property)}`, performance.now() - started);
          return result;
        };
      },
    });
  }

  #add(name: string, ms: number): void {
    const before = this.#spent.get(name) ?? { calls: 0, ms: 0 };
    this.#spent.set(name, { calls: before.calls + 1, ms: before.ms + ms });
  }
}
