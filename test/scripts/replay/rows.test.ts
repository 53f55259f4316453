import { describe, expect, it } from 'vitest';
import type { FolderTexts } from '../../../scripts/replay/rows.ts';
import { parseRows } from '../../../scripts/replay/rows.ts';

const good: FolderTexts = {
  products:
    'productID,productName,quantityPerUnit,unitsInStock,reorderLevel,discontinued\n' +
    '1,Anvil,1 piece,3,1,0\n' +
    '2,Bellows,,0,0,1\n',
  orders: 'orderID,orderDate\n10,2026-01-05 00:00:00.000\n11,2026-01-06\n',
  lines: 'orderID,productID,quantity\n10,1,2\n11,2,1\n',
};

/** The problems of the good texts with some of them replaced, as the command prints them. */
function problemsWith(change: Partial<FolderTexts>): readonly string[] {
  const parsed = parseRows({ ...good, ...change });
  if (parsed.kind === 'parsed') return [];
  return parsed.problems.map(({ file, line, message }) => `${file}:${line}: ${message}`);
}

describe('the rows of a folder', () => {
  it('are read with their types and their lines', () => {
    const parsed = parseRows(good);
    expect(parsed).toMatchObject({
      kind: 'parsed',
      value: {
        products: [
          { line: 2, productID: '1', unitsInStock: 3, reorderLevel: 1, discontinued: false },
          { line: 3, productID: '2', quantityPerUnit: '', unitsInStock: 0, discontinued: true },
        ],
        orders: [
          { line: 2, orderID: '10', orderDate: '2026-01-05' },
          { line: 3, orderID: '11', orderDate: '2026-01-06' },
        ],
        lines: [
          { line: 2, orderID: '10', productID: '1', quantity: 2 },
          { line: 3, orderID: '11', productID: '2', quantity: 1 },
        ],
      },
    });
  });

  it('may have a byte order mark, quoted cells, other line endings, blank lines, more columns', () => {
    const products =
      '\uFEFFproductID,productName,supplierID,quantityPerUnit,unitsInStock,reorderLevel,discontinued\r\n' +
      '\r\n' +
      '1,"Anvil, ""heavy""",7,1 piece,3,1,0\r\n' +
      '2,Bellows,7,,0,0,1';
    const parsed = parseRows({ ...good, products });
    expect(parsed).toMatchObject({
      value: { products: [{ line: 3, productName: 'Anvil, "heavy"' }, { line: 4 }] },
    });
  });

  it.each([
    ['quantity 0', '10,1,0'],
    ['a negative quantity', '10,1,-2'],
    ['a fraction', '10,1,1.5'],
    ['a decimal comma in quotes', '10,1,"1,5"'],
    ['text', '10,1,two'],
    ['nothing', '10,1,'],
    ['more than a line may move', '10,1,1000000001'],
    ['an exponent', '10,1,1e3'],
  ])('are turned away by line for %s', (_, line) => {
    const problems = problemsWith({ lines: `orderID,productID,quantity\n10,1,2\n${line}\n` });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/^order_details\.csv:3: quantity .*whole number from 1 to/);
  });

  it('are turned away with every problem in every file, not only the first', () => {
    const problems = problemsWith({
      products: good.products.replace('1,Anvil', '01,Anvil').replace(',0,0,1', ',none,0,2'),
      orders: good.orders.replace('2026-01-06', '2026-02-30'),
      lines: 'orderID,productID,quantity\n10,1\n',
    });
    expect(
      problems.map((problem) => /^(.*?:\d+): (\S+)/.exec(problem)?.slice(1).join(' ')),
    ).toEqual([
      'products.csv:2 productID',
      'products.csv:3 unitsInStock',
      'products.csv:3 discontinued',
      'orders.csv:3 orderDate',
      'order_details.csv:2 has',
    ]);
  });

  it('are turned away where an id occurs twice or points nowhere', () => {
    const problems = problemsWith({
      products: `${good.products}1,Anvil again,,0,0,0\n`,
      orders: `${good.orders}10,2026-01-07\n`,
      lines: `${good.lines}12,1,1\n10,3,1\n`,
    });
    expect(problems).toEqual([
      'products.csv:4: productID 1 stands in line 2 already',
      'orders.csv:4: orderID 10 stands in line 2 already',
      'order_details.csv:4: orderID 12 is not in orders.csv',
      'order_details.csv:5: productID 3 is not in products.csv',
    ]);
  });

  it('are turned away where a column is missing, with what was found', () => {
    expect(problemsWith({ lines: 'orderID;productID;quantity\n10;1;2\n' })).toEqual([
      'order_details.csv:1: has no column orderID, productID, quantity; found: orderID;productID;quantity',
    ]);
    expect(problemsWith({ orders: '' })).toEqual([
      'orders.csv:1: is empty; a header line is needed',
    ]);
    expect(problemsWith({ orders: 'orderID,orderDate,orderID\n' })).toEqual([
      'orders.csv:1: has two columns named orderID',
    ]);
  });

  it('are turned away where a quote is left open', () => {
    const problems = problemsWith({ orders: 'orderID,orderDate\n10,"2026-01-05\n' });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/^orders\.csv:\d: .*[Qq]uote/);
  });

  it('need a product, and no order', () => {
    const header = good.products.split('\n')[0] ?? '';
    expect(
      problemsWith({
        products: header,
        orders: 'orderID,orderDate',
        lines: 'orderID,productID,quantity',
      }),
    ).toEqual(['products.csv:1: lists no product']);
    expect(
      problemsWith({ orders: 'orderID,orderDate', lines: 'orderID,productID,quantity' }),
    ).toEqual([]);
  });
});
