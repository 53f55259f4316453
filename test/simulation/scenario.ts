/** What a seed makes clients ask for, and how hard the weather is. */
import type { ReservationChange, StockChange } from '../../src/domain/action.ts';
import { adjust, receive, reservationId, reserve, ship, transfer } from '../support/actions.ts';
import type { Random } from './random.ts';

export type Asked =
  | {
      readonly kind: 'move';
      readonly sku: string;
      readonly change: StockChange | ReservationChange;
    }
  /** Undoes the movement of another key. */
  | { readonly kind: 'undo'; readonly of: string }
  | { readonly kind: 'receive'; readonly lines: readonly ReceivedLine[] }
  /** Sends back the receipt of another key. */
  | { readonly kind: 'send-back'; readonly of: string }
  | {
      readonly kind: 'open-count';
      readonly skus: readonly string[];
      readonly places: readonly string[];
    }
  | {
      readonly kind: 'count-line';
      readonly of: string;
      readonly sku: string;
      readonly place: string;
      readonly counted: number;
    }
  | { readonly kind: 'close-count'; readonly of: string }
  | { readonly kind: 'cancel-count'; readonly of: string }
  | { readonly kind: 'end-order'; readonly standing: 'closed' | 'cancelled' }
  | {
      readonly kind: 'define';
      readonly sku: string;
      readonly description: string;
      readonly codes?: readonly string[];
    };

export type ReceivedLine = readonly [line: number, place: string, quantity: number];

/** One request under one key, sent until it has its answer; with two copies, twice at once. */
export interface Plot {
  readonly client: number;
  readonly key: string;
  readonly copies: 1 | 2;
  readonly asked: Asked;
  readonly note?: string;
}

export interface Scenario {
  readonly processes: number;
  readonly windowLimit: number;
  /** What stands at A1 in the beginning, by SKU. */
  readonly opening: Readonly<Record<string, number>>;
  /** How many of the SKU's movements are not known to be in the ledger. */
  readonly unproven: number;
  /** How many of them are missing there. */
  readonly missing: number;
  readonly faults: number;
  readonly faultRate: number;
  readonly leaps: number;
  readonly plots: readonly Plot[];
}

export type Kind = 'stock' | 'holds' | 'receiving' | 'counting' | 'endings' | 'barcodes';

export function scenarioOf(random: Random, only?: Kind): Scenario {
  const kind =
    only ??
    random.pick(['stock', 'stock', 'stock', 'holds', 'holds', 'receiving', 'counting', 'endings']);
  const isLong = kind === 'stock' && random.chance(0.15);
  const faults = random.below(7);
  return {
    processes: 1 + random.below(3),
    windowLimit: random.pick([1, 2, 3, 500]),
    opening: { A: random.below(12), B: random.below(8) },
    unproven: isLong ? 30 + random.below(6) : 0,
    missing: random.below(4),
    faults,
    faultRate: random.pick([0.05, 0.15, 0.4]),
    leaps: random.below(6),
    plots: plotsOf[kind](random),
  };
}

const clients = 3;

const plotsOf: Readonly<Record<Kind, (random: Random) => readonly Plot[]>> = {
  stock: (random) => withImpostor(random, moves(random, 3 + random.below(5), 0)),
  holds: (random) => {
    const client = random.below(clients);
    const made = Array.from({ length: 1 + random.below(2) }, (_, index): Plot => ({
      ...stub(random, `hold${index}`),
      client,
      asked: { kind: 'move', sku: 'A', change: reserve('A1', 1 + random.below(6), 1, `h${index}`) },
    }));
    const used = made.flatMap((plot, index): readonly Plot[] => [
      {
        ...stub(random, `use${index}`),
        client: random.chance(0.8) ? client : random.below(clients),
        asked: {
          kind: 'move',
          sku: 'A',
          change: holdChange(random, `h${index}`, 1 + random.below(6)),
        },
        note: `note of ${plot.key}`,
      },
    ]);
    return [...made, ...used, ...moves(random, 1 + random.below(3), 0)];
  },
  receiving: (random) => {
    const receipts = Array.from({ length: 1 + random.below(3) }, (_, index): Plot => ({
      ...stub(random, `receipt${index}`),
      asked: { kind: 'receive', lines: receivedLines(random) },
    }));
    const backs = receipts
      .filter(() => random.chance(0.4))
      .map(({ client, key }): Plot => ({
        ...stub(random, `back-${key}`),
        client,
        asked: { kind: 'send-back', of: key },
      }));
    return [...receipts, ...backs, ...moves(random, random.below(3), 0)];
  },
  endings,
  barcodes,
  counting: (random) => {
    const openings = Array.from({ length: 1 + random.below(2) }, (_, index) => index);
    return [
      ...openings.flatMap((client) => countOf(random, client)),
      ...moves(random, 1 + random.below(3), openings.length),
    ];
  },
};

/** Orders and counts that end while goods come in, and SKUs that are defined meanwhile. */
function endings(random: Random): readonly Plot[] {
  const order: readonly Plot[] = random.chance(0.6)
    ? [
        {
          ...stub(random, 'receipt'),
          asked: { kind: 'receive', lines: receivedLines(random) },
        },
        {
          ...stub(random, 'end'),
          asked: { kind: 'end-order', standing: random.pick(['closed', 'cancelled']) },
        },
      ]
    : [];
  const [opened, line, ...rest] = countOf(random, 0);
  const cancel: Plot = { ...stub(random, 'cancel'), asked: { kind: 'cancel-count', of: 'count0' } };
  const count =
    opened !== undefined && line !== undefined && (order.length === 0 || random.chance(0.4))
      ? [opened, line, { ...cancel, client: random.pick([0, 0, 1]) }, ...rest]
      : [];
  const defined = Array.from({ length: 1 + random.below(3) }, (_, index): Plot => ({
    ...stub(random, `define${index}`),
    asked: {
      kind: 'define',
      sku: random.chance(0.8) ? 'A' : 'NEW',
      description: `definition ${random.below(2)}`,
    },
  }));
  return withImpostor(random, [...order, ...count, ...defined, ...moves(random, 1, 1)]);
}

/** A few codes that go from SKU to SKU. */
function barcodes(random: Random): readonly Plot[] {
  return Array.from({ length: 3 + random.below(5) }, (_, index): Plot => ({
    ...stub(random, `define${index}`),
    asked: {
      kind: 'define',
      sku: random.pick(['A', 'A', 'B', 'NEW', 'NEWER']),
      description: `definition ${index}`,
      codes: ['C0', 'C1', 'C2'].filter(() => random.chance(0.4)),
    },
  }));
}

function stub(random: Random, key: string): Pick<Plot, 'client' | 'key' | 'copies'> {
  return { client: random.below(clients), key, copies: random.chance(0.25) ? 2 : 1 };
}

function receivedLines(random: Random): readonly ReceivedLine[] {
  const lines: ReceivedLine[] = [[1, random.pick(['A1', 'B1']), 1 + random.below(6)]];
  if (random.chance(0.5)) lines.push([2, random.pick(['A1', 'R1']), 1 + random.below(4)]);
  if (random.chance(0.2)) lines.push([1, 'B1', 1 + random.below(3)]);
  return lines;
}

function countOf(random: Random, client: number): readonly Plot[] {
  const key = `count${client}`;
  const line = (sku: string, place: string): Plot => ({
    ...stub(random, `${key}-${sku}-${place}`),
    client,
    asked: { kind: 'count-line', of: key, sku, place, counted: random.below(14) },
  });
  const lines = [
    line('A', 'A1'),
    ...(random.chance(0.5) ? [line('B', 'A1')] : []),
    ...(random.chance(0.3) ? [{ ...line('A', 'A1'), key: `${key}-again` }] : []),
  ];
  return [
    {
      ...stub(random, key),
      client,
      asked: { kind: 'open-count', skus: ['A', 'B'], places: random.pick([['A1'], ['A1', 'B1']]) },
    },
    ...lines,
    { ...stub(random, `${key}-close`), client, asked: { kind: 'close-count', of: key } },
    ...(random.chance(0.3)
      ? [{ ...stub(random, `${key}-close2`), asked: { kind: 'close-count', of: key } } as const]
      : []),
  ];
}

/** @param from the first client who may ask. */
function moves(random: Random, count: number, from: number): readonly Plot[] {
  const held: string[] = [];
  const plots: Plot[] = [];
  for (let index = 0; index < count; index += 1) {
    const key = `k${index}`;
    const earlier = plots.filter(({ asked }) => asked.kind === 'move');
    const original = earlier[random.below(earlier.length)];
    const sku = random.chance(0.8) ? 'A' : 'B';
    const asked: Asked =
      original !== undefined && random.chance(0.12)
        ? { kind: 'undo', of: original.key }
        : { kind: 'move', ...moveOf(random, sku, held, `hold${index}`) };
    plots.push({
      ...stub(random, key),
      client: from + random.below(clients),
      asked,
      ...(random.chance(0.5) ? { note: `note of ${key}` } : {}),
    });
  }
  return plots;
}

function moveOf(
  random: Random,
  sku: string,
  held: string[],
  hold: string,
): { readonly sku: string; readonly change: StockChange | ReservationChange } {
  const at = random.chance(0.8) ? 'A1' : 'B1';
  const quantity = 1 + random.below(6);
  const among = held[random.below(held.length)];
  if (among !== undefined && random.chance(0.6)) {
    return { sku: 'A', change: holdChange(random, among, quantity) };
  }
  switch (random.below(6)) {
    case 0:
      return { sku, change: receive(at, quantity) };
    case 1:
      return { sku, change: transfer(at, at === 'A1' ? 'B1' : 'A1', quantity) };
    case 2:
      return { sku, change: adjust(at, random.chance(0.5) ? quantity : -quantity) };
    case 3:
    case 4:
      held.push(hold);
      return { sku: 'A', change: reserve(at, quantity, random.pick([null, 1, 1, 2]), hold) };
    default:
      return { sku, change: ship(at, quantity) };
  }
}

function holdChange(random: Random, hold: string, units: number): ReservationChange {
  const reservation = reservationId(hold);
  const some = { reservation, quantity: ship('A1', units).lines[0].quantity };
  switch (random.below(5)) {
    case 0:
      return { type: 'change', ...some };
    case 1:
      return { type: 'commit', ...some };
    case 2:
      return { type: 'commit', reservation };
    default:
      return { type: 'release', reservation };
  }
}

/** Sometimes another client uses a key of somebody's for something else. */
function withImpostor(random: Random, plots: readonly Plot[]): readonly Plot[] {
  const victim = plots[random.below(plots.length)];
  if (victim === undefined || random.chance(0.8)) return plots;
  const asked: Asked = { kind: 'move', sku: 'A', change: ship('A1', 9) };
  return [...plots, { client: random.below(clients), key: victim.key, copies: 1, asked }];
}

export function isKind(text: string): text is Kind {
  return Object.hasOwn(plotsOf, text);
}
