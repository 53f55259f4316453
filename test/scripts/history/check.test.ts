/** The check of histories, on a true run, and on the same run with one lie in it. */
import { describe, expect, it } from 'vitest';
import { checkHistory } from '../../../scripts/history/check.ts';
import type {
  Answer,
  Asked,
  Exchange,
  HistoryMovement,
  Rule,
  Run,
  SkuDocument,
} from '../../../scripts/history/history.ts';

const sku = 'TEA';
const clock = (second: number): string =>
  new Date(Date.UTC(2030, 0, 1, 0, 0, second)).toISOString();

function movement(
  ordinal: number,
  type: string,
  moved: readonly [location: string, delta: number, onHand: number][],
  more: Partial<HistoryMovement> = {},
): HistoryMovement {
  const lines = moved.map(([location, delta, onHand]) => ({ location, delta, onHand }));
  return { actionId: `me/${ordinal}`, sku, ordinal, type, lines, at: clock(ordinal), ...more };
}

const hold = { id: 'h', location: 'A', quantity: 4, expiresAt: null };

/** 10 come in, 3 go to B, 2 leave B, 4 of A are promised, and one receipt brings 5 to B. */
const history: readonly HistoryMovement[] = [
  movement(1, 'receive', [['A', 10, 10]]),
  movement(2, 'transfer', [
    ['A', -3, 7],
    ['B', 3, 3],
  ]),
  movement(3, 'ship', [['B', -2, 1]]),
  movement(4, 'reserve', [], { reservation: { ...hold, state: 'held' } }),
  movement(5, 'receive', [['B', 5, 6]], { actionId: '~receipt/1' }),
];

const document: SkuDocument = {
  sku,
  movementCount: 5,
  levels: [
    { location: 'A', onHand: 7, reserved: 4 },
    { location: 'B', onHand: 6, reserved: 0 },
  ],
  reservations: [hold],
  asOf: clock(9),
};

function done(shown: HistoryMovement): Answer {
  return { kind: 'done', text: JSON.stringify(shown), movement: shown };
}

function ship(location: string, quantity: number): Asked {
  const needs = { location, quantity, of: 'available' } as const;
  return { sku, lines: [{ location, delta: -quantity }], needs };
}

function exchange(
  actionId: string,
  asked: Asked,
  sentAt: number,
  answer: Answer,
  answeredAt = sentAt + 5,
): Exchange {
  return { actionId, asked, sentAt, answer, answeredAt };
}

function lawful(ordinal: number): Exchange {
  const shown = history[ordinal - 1];
  if (shown === undefined) throw new Error('there are five movements');
  const lines = shown.lines.map(({ location, delta }) => ({ location, delta }));
  return exchange(`me/${ordinal}`, { sku, lines }, ordinal * 10, done(shown));
}

const short: Answer = { kind: 'refused', code: 'insufficient-stock' };
const open: Answer = { kind: 'open' };

const exchanges: readonly Exchange[] = [
  ...[1, 2, 3, 4].map(lawful),
  // Sent again after its answer, and answered the same.
  { ...lawful(2), sentAt: 60, answeredAt: 61 },
  // 3 of A are free while 4 of 7 are promised.
  exchange('me/refused', ship('A', 4), 50, short),
  exchange('me/unanswered', ship('A', 1), 50, open, Infinity),
];

const truth: Run = {
  exchanges,
  named: [{ sku, ordinal: 5, location: 'B', delta: 5 }],
  histories: new Map([[sku, history]]),
  documents: [document],
};

function withHistory(lie: readonly HistoryMovement[], more: Partial<Run> = {}): Run {
  return { ...truth, documents: [], histories: new Map([[sku, lie]]), ...more };
}

function withMore(...more: readonly Exchange[]): Run {
  return { ...truth, exchanges: [...exchanges, ...more] };
}

function replaced(ordinal: number, lie: Partial<HistoryMovement>): readonly HistoryMovement[] {
  return history.map((one) => (one.ordinal === ordinal ? { ...one, ...lie } : one));
}

const rulesOf = (run: Run): readonly Rule[] => checkHistory(run).map(({ rule }) => rule);

describe('a run in which everything is as it was told', () => {
  it('breaks no rule', () => {
    expect(checkHistory(truth)).toEqual([]);
  });

  it('breaks none either where an unanswered request was applied', () => {
    const late = movement(6, 'ship', [['A', -1, 6]], { actionId: 'me/unanswered' });
    expect(checkHistory(withHistory([...history, late]))).toEqual([]);
  });

  it('lets a request that was refused succeed when it is sent again', () => {
    const later = movement(6, 'receive', [['A', 5, 12]]);
    const then = movement(7, 'ship', [['A', -4, 8]], { actionId: 'me/refused' });
    const run = withHistory([...history, later, then], {
      exchanges: [
        ...exchanges,
        exchange('me/6', { sku, lines: [{ location: 'A', delta: 5 }] }, 70, done(later)),
        exchange('me/refused', ship('A', 4), 80, done(then)),
      ],
    });
    expect(checkHistory(run)).toEqual([]);
  });
});

const doubled = movement(6, 'ship', [['B', -2, 4]], { actionId: 'me/3' });
const lies: readonly (readonly [lie: string, rule: Rule, run: Run])[] = [
  [
    'a lost write',
    'acknowledged-once',
    withMore(exchange('me/lost', ship('A', 1), 90, done(movement(6, 'ship', [['A', -1, 6]])))),
  ],
  ['a doubled write', 'applied-at-most-once', withHistory([...history, doubled])],
  [
    'a pair out of order',
    'answered-before-sent',
    { ...truth, exchanges: [{ ...lawful(3), sentAt: 0, answeredAt: 1 }, ...[1, 2, 4].map(lawful)] },
  ],
  [
    'a refusal while stock sufficed',
    'refused-with-cause',
    withMore(exchange('me/no-cause', ship('A', 3), 90, short)),
  ],
  [
    'a refusal whose cause was gone before it was sent',
    'refused-with-cause',
    // A was empty until its first receipt, which had been acknowledged by then.
    withMore(exchange('me/late', ship('A', 1), 16, short, 19)),
  ],
  [
    'a refusal whose cause came after its answer',
    'refused-with-cause',
    withMore(exchange('me/early', ship('A', 5), 26, short, 29)),
  ],
  [
    'a refused request that moved stock',
    'refused-has-no-effect',
    withHistory([...history, movement(6, 'ship', [['A', -4, 3]], { actionId: 'me/refused' })]),
  ],
  [
    'an answer that changed',
    'answer-stays',
    withMore({ ...lawful(3), sentAt: 90, answer: { kind: 'done', text: '{}' } }),
  ],
  [
    'an acknowledgement that was taken back',
    'answer-stays',
    withMore(
      { ...lawful(1), sentAt: 2, answeredAt: 99, answer: short },
      { ...lawful(3), sentAt: 90, answer: short },
    ),
  ],
  [
    'an answer that shows another movement than the history',
    'answer-stays',
    withHistory(replaced(3, { at: clock(4) })),
  ],
  [
    'a level that does not follow',
    'levels-follow',
    withHistory(replaced(3, { lines: [{ location: 'B', delta: -2, onHand: 2 }] })),
  ],
  [
    'an ordinal that is missing',
    'ordinals-contiguous',
    withHistory(history.filter(({ ordinal }) => ordinal !== 3)),
  ],
  ['a time that runs back', 'times-ascend', withHistory(replaced(3, { at: clock(1) }))],
  [
    'a change that nobody asked for',
    'as-asked',
    withHistory(replaced(1, { lines: [{ location: 'A', delta: 11, onHand: 11 }] })),
  ],
  ['a movement that is nobody’s', 'somebody-asked', { ...truth, named: [] }],
  [
    'two receipts that name one movement',
    'as-asked',
    { ...truth, named: [...(truth.named ?? []), ...(truth.named ?? [])] },
  ],
  [
    'a receipt’s line that is not there',
    'acknowledged-once',
    { ...truth, named: [...(truth.named ?? []), { sku, ordinal: 9, location: 'B', delta: 1 }] },
  ],
  [
    'stock sold that was promised',
    'nothing-oversold',
    withHistory([...history, movement(6, 'ship', [['A', -4, 3]], { actionId: 'me/unanswered' })]),
  ],
  [
    'stock sold that was not there',
    'nothing-below-zero',
    withHistory([...history, movement(6, 'ship', [['B', -7, -1]], { actionId: 'me/unanswered' })]),
  ],
  [
    'a hold that vanished',
    'document-follows',
    { ...truth, documents: [{ ...document, reservations: [] }] },
  ],
  [
    'a level that the document alone has',
    'document-follows',
    { ...truth, documents: [{ ...document, levels: document.levels.slice(1) }] },
  ],
  [
    'a count of movements that is off',
    'document-follows',
    { ...truth, documents: [{ ...document, movementCount: 6 }] },
  ],
];

describe('the same run with a lie in it', () => {
  it.each(lies)('%s breaks %s', (_, rule, run) => {
    expect(rulesOf(run)).toContain(rule);
  });

  it('with a hold that ended by itself, sells what was promised, and shows it no more', () => {
    const ending = { ...hold, expiresAt: clock(5), state: 'held' };
    const sold = movement(6, 'ship', [['A', -7, 0]], { actionId: 'me/all' });
    const held = movement(4, 'reserve', [], { reservation: ending });
    const run: Run = {
      ...withHistory([...history.slice(0, 3), held, ...history.slice(4), sold]),
      exchanges: [
        ...[1, 2, 3].map(lawful),
        exchange('me/4', { sku, lines: [] }, 40, done(held)),
        exchange('me/all', ship('A', 7), 90, done(sold)),
      ],
    };
    expect(checkHistory(run)).toEqual([]);
  });
});
