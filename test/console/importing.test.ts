import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Table } from '../../src/console/back-office/csv.ts';
import { csvOf, readCsv } from '../../src/console/back-office/csv.ts';
import { checkLocations } from '../../src/console/back-office/location-import.ts';
import { checkOrders, exportOrders } from '../../src/console/back-office/order-import.ts';
import { checkSkus, exportSkus } from '../../src/console/back-office/sku-import.ts';

function table(text: string): Table {
  const read = readCsv(text);
  return 'fault' in read ? expect.fail(read.fault) : read;
}

function sku(id: string, change: object = {}) {
  return {
    sku: id,
    description: id,
    baseUnit: 'each',
    packs: [],
    barcodes: [],
    status: 'active' as const,
    totals: { onHand: 0, reserved: 0, available: 0 },
    ...change,
  };
}

describe('a table', () => {
  it('comes back as it went out, formulas, quotes and all', () => {
    const cell = fc.oneof(
      fc.constantFrom('=1+1', "'=1", '-5', '@x', '"', ';', 'a\nb', ' x '),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constant('k'), cell)), (rows) => {
        const { rows: read } = table(csvOf(['key', 'text'], rows));
        expect(read.map(({ cells }) => cells['text'])).toEqual(rows.map(([, text]) => text));
      }),
    );
  });

  it.each([',', ';', '\t'])(
    'is read with “%s” between its cells and a byte order mark',
    (between) => {
      const { columns, rows } = table(
        `\uFEFF${['sku', 'description'].join(between)}\r\nA${between}B\r\n`,
      );
      expect(columns).toEqual(['sku', 'description']);
      expect(rows).toEqual([{ line: 2, cells: { sku: 'A', description: 'B' } }]);
    },
  );

  it('that is empty or breaks off within quotes is no table', () => {
    expect(readCsv('')).toHaveProperty('fault');
    expect(readCsv('sku,description\nA,"B')).toHaveProperty('fault');
  });

  it('names the line of the file, blank lines and line breaks within cells counted', () => {
    const { rows } = table('sku,description\n\nA,"one\ntwo"\nB,x\n');
    expect(rows.map(({ line }) => line)).toEqual([3, 5]);
  });
});

describe('SKUs from a table', () => {
  it('are judged line by line, and nothing is to be written while one is at fault', () => {
    const { faults, definitions } = checkSkus(
      table(
        'sku,description,packs,barcodes,reorderPoint\n' +
          'A,ok,,111,\nA,twice,,,\nB,no pack,case,,\nC,,,,\nD,taken,,222,\nE,twice in file,,111,\nF,x,,,1.5\n',
      ),
      [sku('OTHER', { barcodes: [{ code: '222' }] })],
    );
    expect(faults.map(({ line }) => line)).toEqual([3, 4, 5, 6, 7, 8]);
    expect(definitions).toEqual([]);
  });

  it('cannot change a base unit on which stock stands', () => {
    const standing = sku('A', { totals: { onHand: 1, reserved: 0, available: 1 } });
    const { faults } = checkSkus(table('sku,description,baseUnit\nA,A,kg\n'), [standing]);
    expect(faults).toEqual([{ line: 2, fault: expect.stringContaining('each') as string }]);
  });

  it('that went out come in unchanged', () => {
    const existing = [
      sku('A/B', {
        packs: [{ unit: 'ca=se|x', contains: 12 }],
        barcodes: [{ code: '9%=|1', unit: 'ca=se|x' }, { code: '222' }],
        reorderPoint: 4,
        description: '=1+1',
      }),
    ];
    const checked = checkSkus(table(exportSkus(existing)), existing);
    expect(checked).toMatchObject({ faults: [], added: 0, changed: 0, unchanged: 1 });
  });

  it('are finished by the same file after a crash: what is there already is left alone', () => {
    const file = table('sku,description\nA,A\nB,B\n');
    const { definitions, unchanged } = checkSkus(file, [sku('A')]);
    expect(definitions.map((one) => one.sku)).toEqual(['B']);
    expect(unchanged).toBe(1);
  });
});

describe('locations from a table', () => {
  it('keep their warehouse, and retired ones do not come back', () => {
    const existing = [
      { location: 'A1', warehouse: 'W1', kind: 'storage' },
      { location: 'B1', warehouse: 'W1', kind: 'storage', retiredAt: '2026-01-01T00:00:00.000Z' },
    ];
    const file = 'location,warehouse,kind\nA1,W2,\nB1,W1,\nC1,W1,shelf\nd1,W1,\nE1,W1,receiving\n';
    const { faults } = checkLocations(table(file), existing);
    expect(faults.map(({ line }) => line)).toEqual([2, 3, 4, 5]);
  });
});

describe('orders from a table', () => {
  it('gather the rows of one number, and leave alone what is there', () => {
    const file = 'number;supplier;sku;ordered;unit\nP1;Acme;A;2;case\nP1;Acme;B;3;\nP2;Acme;A;1;\n';
    const known = { number: 'P2', supplier: 'Acme', lines: [] };
    const { definitions, unchanged, faults } = checkOrders(table(file), [known]);
    expect(faults).toEqual([]);
    expect(unchanged).toBe(1);
    expect(definitions).toEqual([
      {
        number: 'P1',
        supplier: 'Acme',
        lines: [
          { line: 1, sku: 'A', ordered: 2, unit: 'case' },
          { line: 2, sku: 'B', ordered: 3 },
        ],
      },
    ]);
  });

  it('that went out come in unchanged', () => {
    const line = { line: 3, sku: 'A', ordered: 2, received: 0, remaining: 2, status: 'open' };
    const existing = [{ number: 'P1', supplier: 'Acme', lines: [line] }];
    expect(checkOrders(table(exportOrders(existing)), existing)).toMatchObject({
      faults: [],
      added: 0,
      unchanged: 1,
    });
  });
});
