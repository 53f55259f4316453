/** Where a strategy works: its own documents or tables, and the book of what was acknowledged. */
import type { Standing, Tally } from './conservation.ts';
import { conservationFaults, entryFaults, nothingYet } from './conservation.ts';
import type { Stock } from './stock.ts';

/** What a kind of database has to offer. */
export interface Soil {
  /** Makes the stock; asked once for each. */
  readonly seed: (stock: Stock) => Promise<void>;
  readonly standings: (stock: Stock) => Promise<ReadonlyMap<string, Standing>>;
  /** Entries of each collection or table to which a movement adds one. */
  readonly entries: () => Promise<ReadonlyMap<string, number>>;
  readonly drop: () => Promise<void>;
}

export interface Ground {
  readonly ready: (stock: Stock) => Promise<void>;
  /** Takes down what the clients were told. */
  readonly credit: (stock: Stock, tallies: readonly Tally[]) => void;
  /** @throws ConservationFault when the levels are not what the book says. */
  readonly check: (stock: Stock) => Promise<void>;
  /** @throws ConservationFault when claims, keys or ledger entries are too few or too many. */
  readonly checkEntries: () => Promise<void>;
  readonly drop: () => Promise<void>;
}

export class ConservationFault extends Error {
  override readonly name = 'ConservationFault';
}

interface Book {
  readonly opening: ReadonlyMap<string, Standing>;
  readonly tallies: Map<string, Tally>;
}

export function createGround(name: string, soil: Soil): Ground {
  const books = new Map<Stock['name'], Book>();
  let entriesAtOpening: ReadonlyMap<string, number> | undefined;

  async function check(stock: Stock): Promise<void> {
    const book = books.get(stock.name);
    if (book === undefined) return;
    raise(name, conservationFaults(book.opening, book.tallies, await soil.standings(stock)));
  }

  async function checkEntries(): Promise<void> {
    if (entriesAtOpening === undefined) return;
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
      await checkEntries();
      await soil.seed(stock);
      books.set(stock.name, { opening: await soil.standings(stock), tallies: new Map() });
      entriesAtOpening = await entriesLess(soil, books);
    },
    credit: (stock, tallies) => {
      const book = books.get(stock.name);
      if (book === undefined) throw new Error(`${name} was measured before it was seeded`);
      for (const [index, sku] of stock.skus.entries()) {
        const before = book.tallies.get(sku) ?? nothingYet;
        const more = tallies[index] ?? nothingYet;
        book.tallies.set(sku, {
          acknowledged: before.acknowledged + more.acknowledged,
          unknown: before.unknown + more.unknown,
        });
      }
    },
    check,
    checkEntries,
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

function raise(name: string, faults: readonly string[]): void {
  if (faults.length === 0) return;
  const shown = faults.slice(0, 10).join('\n  ');
  throw new ConservationFault(`${name} does not conserve stock:\n  ${shown}`);
}
