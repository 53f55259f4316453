/** The stores in memory that simulations use keep what the real ones promise. */
import { describe } from 'vitest';
import { leaseMilliseconds } from '../../src/inventory/saga-ports.ts';
import { instant } from '../support/actions.ts';
import { memoryWorld } from '../support/memory-receiving.ts';
import { storesKeepTheirPromises } from '../support/receiving-suite.ts';

describe('stores of orders and receipts, in memory,', () => {
  const world = memoryWorld();
  storesKeepTheirPromises(() => ({
    ...world.ports,
    lapse: () => {
      world.clock.now = instant(world.clock.now + leaseMilliseconds + 1);
      return Promise.resolve();
    },
  }));
});
