/** The stores of stock on the real engine. */
import { describe } from 'vitest';
import { stockStoresKeepTheirPromises } from '../support/stock-suite.ts';
import { useStockroom } from '../support/stockroom.ts';

describe('stores of stock, on the engine,', () => {
  const room = useStockroom();
  stockStoresKeepTheirPromises(() => room.ports());
});
