/** The stores in memory that the simulation uses keep what the real ones promise. */
import { describe } from 'vitest';
import { instant, location } from '../support/actions.ts';
import { memoryStock } from '../support/memory-stock.ts';
import { stockStoresKeepTheirPromises } from '../support/stock-suite.ts';

describe('stores of stock, in memory,', () => {
  const stock = memoryStock({ clock: { now: instant(1_000_000) }, locations: [location('A1')] });
  stockStoresKeepTheirPromises(() => stock.ports);
});
