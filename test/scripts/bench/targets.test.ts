import { describe, expect, it } from 'vitest';
import type { Row, StrategyName, Subject } from '../../../scripts/bench/figures.ts';
import { rateRatio } from '../../../scripts/bench/figures.ts';
import { figuresTable, targetsTable } from '../../../scripts/bench/table.ts';
import { judge, judged } from '../../../scripts/bench/targets.ts';

function row(
  strategy: StrategyName,
  rates: readonly number[],
  subject: Partial<Subject> = {},
  { p50Ms = 2, p99Ms = 7 } = {},
): Row {
  return {
    transport: 'in-process',
    processes: 1,
    stock: 'one',
    clients: 64,
    ...subject,
    strategy,
    stockText: subject.stock === 'many' ? '1,000 SKUs, full windows' : 'one SKU, full windows',
    runs: rates.map((movementsPerSecond) => ({
      movementsPerSecond,
      p50Ms,
      p99Ms,
      peakBytes: 123_000_000,
      ownCpuMs: 0.5,
      engineCpuMs: undefined,
      unknown: 0,
    })),
  };
}

const ratios = (rows: readonly Row[]) =>
  Object.fromEntries(
    judge(rows).map(({ name, ratio, met }) => [name.slice(0, 2).trim(), { ratio, met }]),
  );

describe('a ratio', () => {
  it('compares runs that stood side by side, so that a slow spell hits both', () => {
    const slowSpell = row('path', [900, 90, 1_000]);
    expect(rateRatio(slowSpell, row('bare', [1_000, 100, 1_000]))).toBeCloseTo(0.9);
  });

  it('is nothing where one side was not measured', () => {
    expect(rateRatio(row('path', [1]), undefined)).toBeUndefined();
    expect(rateRatio(row('path', []), row('bare', []))).toBeUndefined();
  });
});

describe('the targets', () => {
  it('are judged from the rows that they name', () => {
    const found = ratios([
      row('path', [6_000]),
      row('plain', [100]),
      row('one', [4_000]),
      row('path', [700], { stock: 'many', clients: 16 }),
      row('bare', [1_400], { stock: 'many', clients: 16 }),
      row('bare', [1], { stock: 'many', clients: 64 }),
    ]);
    expect(found['1a']).toEqual({ ratio: 60, met: true });
    expect(found['1b']).toEqual({ ratio: 1.5, met: false });
    expect(found['3']).toEqual({ ratio: 0.5, met: false });
    expect(found['3*']).toEqual({ ratio: 0.5, met: true });
    expect(found['4']).toEqual({ ratio: 3.5, met: true });
    expect(found['2a']).toEqual({ ratio: undefined, met: undefined });
  });

  it('keep HTTP and several processes apart', () => {
    const http = { transport: 'http' } as const;
    const three = { processes: 3, clients: 63 };
    const found = ratios([
      row('path', [1_900], http),
      row('path', [2_000], { ...http, stock: 'many' }),
      row('one', [1_000], http),
      row('path', [500], three),
      row('path', [1_000], { clients: 63 }),
      row('plain', [20], three),
    ]);
    expect(found['2a']).toEqual({ ratio: 0.95, met: true });
    expect(found['2b']).toEqual({ ratio: 1.9, met: true });
    expect(found['5a']).toEqual({ ratio: 0.5, met: true });
    expect(found['5b']).toEqual({ ratio: 25, met: true });
  });

  it('that bound from above are met below', () => {
    expect(judged('x', { atMost: 4 }, 4).met).toBe(true);
    expect(judged('x', { atMost: 4 }, 4.1).met).toBe(false);
    expect(judged('x', { atLeast: 4 }, 3.9).met).toBe(false);
  });
});

describe('the tables', () => {
  it('set a row beside its references', () => {
    const table = figuresTable([
      row('bare', [1_000, 1_000, 1_000]),
      row('one', [4_000, 4_000, 4_000]),
      row('path', [7_000, 9_000, 8_000]),
    ]).split('\n');
    expect(table).toHaveLength(4);
    expect(table[1]?.split(/\s{2,}/)).toEqual([
      'one SKU, full windows, in-process, 64, path',
      '8,000',
      '7,000–9,000',
      '8.00',
      '2.00',
      '2.00',
      '7.00',
      '0.50',
      '–',
      '123',
      '0',
    ]);
  });

  it('tell a target that is missed from one that was not measured', () => {
    const table = targetsTable([
      judged('fast', { atLeast: 2 }, 1),
      judged('steady', { atMost: 4 }, undefined),
    ]);
    expect(table).toMatch(/fast +≥ 2 +1\.00 +NOT MET/);
    expect(table).toMatch(/steady +≤ 4 +– +not measured/);
  });
});
