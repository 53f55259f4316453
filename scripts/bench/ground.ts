/** Where a strategy works: its own documents or tables, and the book of what was acknowledged. */
import type { Standing, Tally } from './conservation.ts';
import { conservationFaults, entryFaults, nothingYet } from './conservation.ts';
import type { Sku } from '../../src/domain/ids.ts';
import type { Stock } from './stock.ts';

/** What a kind of database has to offer. */
export interface Soil {
  /** Makes the stock; asked once for each. */
  readonly seed: (stock: Stock) => Promise<void>;
  readonly standings: (skus: readonly Sku[]) => Promise<ReadonlyMap<string, Standing>>;
  /** Entries of each collection or table to which a movement adds one. */
  readonly entries: () => Promise<ReadonlyMap<string, number>>;
  readonly drop: () => Promise<void>;
}

export interface Ground {
  readonly ready: (stock: Stock) => Promise<void>;
  /** Takes down what the clients were told. */
  readonly credit: (stock: Stock, tallies: readonly Tally[]) => void;
  /**
   * Looks at every SKU that was moved since the last look; reading full windows takes its time.
   * @throws ConservationFault when the levels are not what the book says.
   */
  readonly check: (stock: Stock) => Promise<void>;
  /**
   * Looks at every SKU, moved or not, and at the claims, keys and ledger entries.
   * @throws ConservationFault when anything is not what the book says.
   */
  readonly audit: () => Promise<void>;
  readonly drop: () => Promise<void>;
}

export class ConservationFault extends Error {
  override readonly name = 'ConservationFault';
}

interface Book {
  readonly stock: Stock;
  readonly opening: ReadonlyMap<string, Standing>;
  readonly tallies: Map<string, Tally>;
  /** Moved since they were last looked at. */
  readonly moved: Set<Sku>;
}

export function createGround(name: string, soil: Soil): Ground {
  const books = new Map<Stock['name'], Book>();
  let entriesAtOpening: ReadonlyMap<string, number> = new Map();

  async function look(book: Book, skus: readonly Sku[]): Promise<void> {
    const { opening, tallies } = book;
    const faults = conservationFaults(
      only(opening, skus),
      only(tallies, skus),
      await soil.standings(skus),
    );
    raise(name, faults);
    for (const sku of skus) book.moved.delete(sku);
  }

  async function audit(): Promise<void> {
    // Before the first stock there is nothing to look at, tables included.
    if (books.size === 0) return;
    for (const book of books.values()) await look(book, book.stock.skus);
    const tallies = Array.from(books.values()).flatMap((book) => [...book.tallies.values()]);
    const found = await soil.entries();
    const faults = Array.from(entriesAtOpening).flatMap(([what, seeded]) =>
      entryFaults(what, seeded, tallies, found.get(what) ?? 0),
    );
    raise(name, faults);
  }

  return {
    ready: async (stock) => {
      if (books.has(stock.name)) return;
      await audit();
      await soil.seed(stock);
      const opening = await soil.standings(stock.skus);
      books.set(stock.name, { stock, opening, tallies: new Map(), moved: new Set() });
      entriesAtOpening = await entriesLess(soil, books);
    },
    credit: (stock, tallies) => {
      const book = books.get(stock.name);
      if (book === undefined) throw new Error(`${name} was measured before it was seeded`);
      for (const [index, sku] of stock.skus.entries()) {
        const before = book.tallies.get(sku) ?? nothingYet;
        const more = tallies[index] ?? nothingYet;
        if (more.acknowledged + more.unknown === 0) continue;
        book.moved.add(sku);
        book.tallies.set(sku, {
          acknowledged: before.acknowledged + more.acknowledged,
          unknown: before.unknown + more.unknown,
        });
      }
    },
    check: async ({ name: stockName }) => {
      const book = books.get(stockName);
      if (book !== undefined) await look(book, [...book.moved]);
    },
    audit,
    drop: soil.drop,
  };
}

/** The entries that were there before any movement of the book. */
async function entriesLess(
  soil: Soil,
  books: ReadonlyMap<unknown, Book>,
): Promise<ReadonlyMap<string, number>> {
  const moved = Array.from(books.values())
    .flatMap((book) => [...book.tallies.values()])
    .reduce((sum, tally) => sum + tally.acknowledged, 0);
  return new Map(Array.from(await soil.entries(), ([what, count]) => [what, count - moved]));
}

function only<T>(all: ReadonlyMap<string, T>, skus: readonly string[]): ReadonlyMap<string, T> {
  return new Map(
    skus.flatMap((sku) => {
      const value = all.get(sku);
      return value === undefined ? [] : [[sku, value] as const];
    }),
  );
}

function raise(name: string, faults: readonly string[]): void {
  if (faults.length === 0) return;
  const shown = faults.slice(0, 10).join('\n  ');
  throw new ConservationFault(`${name} does not conserve stock:\n  ${shown}`);
}
