/** Barcodes that go from SKU to SKU: a kind of its own, beside the seeds of all others. */
import { expectSeedsToHold } from './seeds.ts';

expectSeedsToHold({ from: 1, runs: 1_000, only: 'barcodes' });
