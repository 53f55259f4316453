/** Appointments of purchase orders over HTTP, on the real engine. */
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { dockClient, holdIn } from '../support/dock-client.ts';
import { clientOf, freshKey, outcomeOf, pageOf } from '../support/http-client.ts';
import { orderClient, pathOf, units } from '../support/orders.ts';
import { useService } from '../support/service.ts';

const { client } = useService();
const dock = dockClient(client);
const orders = orderClient(client);

beforeAll(async () => {
  await client.put('/v1/locations/A1', { warehouse: 'NORTH' });
  await client.put('/v1/locations/S1', { warehouse: 'SOUTH' });
});

const appointmentsShown = z.object({
  appointments: z.array(z.object({ id: z.string(), slot: z.string(), status: z.string() })),
});

async function appointmentsOf(number: string, by = client) {
  return appointmentsShown.parse((await by.get(pathOf(number))).body).appointments;
}

/** An order, and a hold for it in a new slot of a warehouse. */
async function appointed(number: string, warehouse = 'NORTH') {
  const slot = await dock.open({ capacity: 1, warehouse });
  const hold = holdIn(await dock.hold(slot, { purchaseOrder: number }));
  return { slot, hold: hold.id };
}

describe('an order', () => {
  it('shows its appointments, and gives their places back when it is cancelled', async () => {
    await orders.orderOf('TWO', 10);
    const [one, other] = [await appointed('TWO'), await appointed('TWO', 'SOUTH')];
    await dock.confirm(other.hold);
    expect(await appointmentsOf('TWO')).toMatchObject(
      [
        { id: one.hold, slot: one.slot, status: 'held', warehouse: 'NORTH', seats: 1 },
        { id: other.hold, slot: other.slot, status: 'confirmed', warehouse: 'SOUTH' },
      ].map(({ id, slot, status }) => ({ id, slot, status })),
    );
    const key = freshKey();
    const cancelled = await orders.post(`${pathOf('TWO')}/cancel`, {}, key);
    expect(cancelled).toMatchObject({ status: 200, body: { status: 'cancelled' } });
    expect([await dock.remaining(one.slot), await dock.remaining(other.slot)]).toEqual([1, 1]);
    expect((await appointmentsOf('TWO')).map(({ status }) => status)).toEqual([
      'cancelled',
      'cancelled',
    ]);
    expect((await orders.post(`${pathOf('TWO')}/cancel`, {}, key)).body).toEqual(cancelled.body);
    expect(outcomeOf(await dock.confirm(one.hold))).toBe('409 hold-cancelled');
    // Somebody else may have it now, and loses it to no late repeat.
    const next = holdIn(await dock.hold(one.slot));
    await orders.post(`${pathOf('TWO')}/cancel`, {}, key);
    expect(await dock.show(next.id)).toMatchObject({ status: 'held' });
  });

  it('that has ended takes no appointment, and nobody loses a place to it', async () => {
    for (const end of ['cancel', 'close']) {
      const number = `ENDED-${end}`;
      await orders.orderOf(number, 10);
      await orders.post(`${pathOf(number)}/${end}`);
      const slot = await dock.open({ capacity: 1 });
      const refused = await dock.hold(slot, { purchaseOrder: number });
      expect(outcomeOf(refused)).toBe('409 purchase-order-closed');
      expect(await dock.remaining(slot)).toBe(1);
    }
  });

  it('that is not there has none', async () => {
    const slot = await dock.open({ capacity: 1 });
    const refused = await dock.hold(slot, { purchaseOrder: 'NOWHERE' });
    expect(outcomeOf(refused)).toBe('422 unknown-purchase-order');
    expect(await dock.remaining(slot)).toBe(1);
  });

  it('is cancelled or appointed to, whoever comes first: no place stays taken', async () => {
    await orders.orderOf('RACE', 10);
    const slot = await dock.open({ capacity: 12 });
    const holds = Array.from({ length: 12 }, () => dock.hold(slot, { purchaseOrder: 'RACE' }));
    await Promise.race(holds);
    const cancelled = await orders.post(`${pathOf('RACE')}/cancel`);
    expect(cancelled.status).toBe(200);
    const outcomes = new Set((await Promise.all(holds)).map(outcomeOf));
    expect(['201', '409 purchase-order-closed']).toEqual(
      expect.arrayContaining(Array.from(outcomes)),
    );
    expect(await dock.remaining(slot)).toBe(12);
  });
});

describe('a receipt', () => {
  it('names the appointment on which it arrived, one of its order', async () => {
    await orders.orderOf('ARRIVED', 10);
    await orders.orderOf('OTHER', 10);
    const [own, foreign] = [await appointed('ARRIVED'), await appointed('OTHER')];
    const refused = await orders.receive('ARRIVED', { ...units(1), appointment: foreign.hold });
    expect(outcomeOf(refused)).toBe('422 unknown-appointment');
    const unread = await orders.receive('ARRIVED', { ...units(1), appointment: 'nonsense' });
    expect(outcomeOf(unread)).toBe('422 validation');
    const body = { ...units(4), appointment: own.hold };
    const received = await orders.receive('ARRIVED', body);
    expect(received).toMatchObject({ status: 201, body: { appointment: own.hold } });
    const { items } = pageOf(await client.get(`${pathOf('ARRIVED')}/receipts`));
    expect(items).toEqual([received.body]);
  });
});

describe('a key with warehouses of its own', () => {
  it('neither sees nor names appointments elsewhere', async () => {
    const made = await client.send('POST', '/v1/api-keys', {
      body: { name: 'north', role: 'back_office', warehouses: ['NORTH'] },
    });
    const { key } = z.object({ key: z.string() }).parse(made.body);
    const north = clientOf(() => client.url, key);
    await orders.orderOf('SHARED', 10);
    const [own, elsewhere] = [await appointed('SHARED'), await appointed('SHARED', 'SOUTH')];
    expect((await appointmentsOf('SHARED', north)).map(({ id }) => id)).toEqual([own.hold]);
    const receive = (appointment: string) =>
      orderClient(north).receive('SHARED', { ...units(1), appointment });
    expect(outcomeOf(await receive(elsewhere.hold))).toBe('422 unknown-appointment');
    expect(await receive(own.hold)).toMatchObject({ status: 201, body: { appointment: own.hold } });
    const arrived = await orders.receive('SHARED', { ...units(1), appointment: elsewhere.hold });
    expect(arrived.body).toMatchObject({ appointment: elsewhere.hold });
    const { items } = pageOf(await north.get(`${pathOf('SHARED')}/receipts`));
    expect(JSON.stringify(items)).not.toContain(elsewhere.hold);
    expect(items).toHaveLength(2);
  });
});
