/** A strategy as the clients see it: it takes one unit of one SKU under a key of its own. */
import type { Sku } from '../../../src/domain/ids.ts';

/** `unknown`: nothing definite was said; the movement may have happened. */
export type Outcome = 'moved' | 'unknown';

export interface Mover {
  /** @throws on any definite answer but success: the bench never asks for what may be refused. */
  readonly move: (sku: Sku, key: string) => Promise<Outcome>;
  readonly close: () => Promise<void>;
}
