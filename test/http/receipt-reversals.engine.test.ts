/** Receipts that are sent back, over HTTP and on the real engine. */
import { beforeAll, describe, expect, it } from 'vitest';
import { freshKey, outcomeOf, problemOf } from '../support/http-client.ts';
import { orderClient, pathOf, receiptShape, skuOf, units } from '../support/orders.ts';
import { useService } from '../support/service.ts';

const { client } = useService();
const orders = orderClient(client);

beforeAll(async () => {
  for (const location of ['A1', 'B1']) {
    expect((await client.put(`/v1/locations/${location}`, { warehouse: 'W' })).status).toBe(201);
  }
});

/** An order of 10 of which 10 were received. @returns the path of the receipt. */
async function receivedOrder(number: string): Promise<string> {
  await orders.orderOf(number, 10);
  const { id } = receiptShape.parse((await orders.receive(number, units(10))).body);
  return `${pathOf(number)}/receipts/${id}`;
}

const onHand = async (number: string): Promise<number> =>
  (await orders.stock(skuOf(number))).totals.onHand;

describe('a reversal', () => {
  it('sends the goods back once, and the order waits for them again', async () => {
    const path = await receivedOrder('BACK');
    const key = freshKey();
    const reply = await orders.post(`${path}/reverse`, { reference: 'wrong goods' }, key);
    expect([reply.status, reply.body]).toMatchObject([
      200,
      { status: 'reversed', lines: [{ ordinal: 1, reversal: { ordinal: 2 } }] },
    ]);
    expect(await onHand('BACK')).toBe(0);
    expect(await orders.order('BACK')).toMatchObject({ status: 'open', lines: [{ received: 0 }] });
    const again = await orders.post(`${path}/reverse`, { reference: 'wrong goods' }, key);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body).toEqual(reply.body);
    expect((await client.get(path)).body).toEqual(reply.body);
    expect(outcomeOf(await orders.post(`${path}/reverse`))).toBe('409 receipt-reversed');
    expect(outcomeOf(await orders.receive('BACK', units(10)))).toBe('201');
  });

  it('happens once when it is asked for 20 times at once', async () => {
    const path = await receivedOrder('ONCE');
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => orders.post(`${path}/reverse`)),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter((reply) => outcomeOf(reply) === '409 receipt-reversed')).toHaveLength(19);
    expect(await orders.stock(skuOf('ONCE'))).toMatchObject({
      totals: { onHand: 0 },
      movementCount: 2,
    });
    expect(await orders.order('ONCE')).toMatchObject({ lines: [{ received: 0 }] });
  });

  it('is refused while the stock is gone, moves nothing, and may come again with its key', async () => {
    const path = await receivedOrder('GONE');
    await client.move({ type: 'ship', sku: skuOf('GONE'), location: 'A1', quantity: 1 });
    const key = freshKey();
    const short = await orders.post(`${path}/reverse`, {}, key);
    expect(problemOf(short)).toMatchObject({
      code: 'insufficient-stock',
      available: 9,
      requested: 10,
    });
    expect(await orders.order('GONE')).toMatchObject({ lines: [{ received: 10 }] });
    await client.move({ type: 'receive', sku: skuOf('GONE'), location: 'A1', quantity: 1 });
    expect((await orders.post(`${path}/reverse`, {}, key)).status).toBe(200);
    expect(await onHand('GONE')).toBe(0);
  });

  it('counts as sent back what was sent back movement by movement', async () => {
    const path = await receivedOrder('HALF');
    const id = path.split('/').at(-1) ?? '';
    const movement = encodeURIComponent(`~receipt/${id}/0`);
    expect((await orders.post(`/v1/movements/${movement}/reverse`)).status).toBe(201);
    expect(await orders.order('HALF')).toMatchObject({ lines: [{ received: 10 }] });
    expect((await orders.post(`${path}/reverse`)).body).toMatchObject({
      status: 'reversed',
      lines: [{ reversal: { status: 'reversed', code: 'movement-reversed' } }],
    });
    expect(await orders.order('HALF')).toMatchObject({ lines: [{ received: 0 }] });
    expect(await onHand('HALF')).toBe(0);
  });

  it('of a closed order is possible still', async () => {
    const path = await receivedOrder('SHUT');
    await orders.post(`${pathOf('SHUT')}/close`);
    expect((await orders.post(`${path}/reverse`)).body).toMatchObject({ status: 'reversed' });
    expect(await orders.order('SHUT')).toMatchObject({
      status: 'closed',
      lines: [{ received: 0 }],
    });
  });

  it('shows a line whose stock was taken meanwhile as failed, or all as gone', async () => {
    for (let round = 0; round < 5; round += 1) {
      const number = `TAKEN-${round}`;
      const path = await receivedOrder(number);
      const ship = { type: 'ship', sku: skuOf(number), location: 'A1', quantity: 10 };
      const [reversed, shipped] = await Promise.all([
        orders.post(`${path}/reverse`),
        client.move(ship),
      ]);
      const order = await orders.order(number);
      expect(await onHand(number)).toBe(0);
      if (shipped.status === 201) {
        expect(order).toMatchObject({ lines: [{ received: 10 }] });
        if (reversed.status === 200) {
          expect(reversed.body).toMatchObject({
            lines: [{ reversal: { status: 'failed', code: 'insufficient-stock' } }],
          });
        } else expect(outcomeOf(reversed)).toBe('409 insufficient-stock');
      } else {
        expect(reversed.status).toBe(200);
        expect(order).toMatchObject({ lines: [{ received: 0 }] });
      }
    }
  });

  it('is not found for what is no receipt', async () => {
    await orders.orderOf('NONE', 10);
    const path = `${pathOf('NONE')}/receipts`;
    for (const id of ['x', 'A'.repeat(22)]) {
      expect(outcomeOf(await orders.post(`${path}/${id}/reverse`))).toBe('404 not-found');
    }
  });
});
