/** The stores of orders and receipts on the real engine. */
import { describe } from 'vitest';
import { storesKeepTheirPromises } from '../support/receiving-suite.ts';
import { useReceivingSite } from '../support/receiving-site.ts';

describe('stores of orders and receipts, on the engine,', () => {
  const site = useReceivingSite();
  storesKeepTheirPromises(() => ({ ...site.ports(), lapse: site.lapse }));
});
