/**
 * One of everything on two sides: near stands in W1, far in W2. Each location, cycle count and key
 * of W2 has a name with `far` in it, in some case, so that no answer to a key of W1 may hold that.
 */
import { z } from 'zod';
import { dockClient, holdIn } from './dock-client.ts';
import type { Client } from './http-client.ts';
import { clientOf, freshKey } from './http-client.ts';

export type Side = 'near' | 'far';
type Sides = Readonly<Record<Side, string>>;

export const warehousesOf: Sides = { near: 'W1', far: 'W2' };

export interface Ground {
  readonly hold: Sides;
  readonly action: Sides;
  readonly count: Sides;
  readonly receipt: Sides;
  readonly key: Sides;
  readonly slot: Sides;
  readonly appointment: Sides;
}

export const idShown = z.object({ id: z.string() });
const keyShown = z.object({ key: z.string() });
const actionShown = z.object({ actionId: z.string() });

let names = 0;

export function nameOfKey(): string {
  names += 1;
  return `scoped-${names}`;
}

/** The secret of a new key of these warehouses. */
export async function secretWithin(
  admin: Client,
  role: string,
  warehouses: readonly string[],
): Promise<string> {
  const body = { name: nameOfKey(), role, warehouses };
  const made = await admin.send('POST', '/v1/api-keys', { body });
  return keyShown.parse(made.body).key;
}

/** A caller with a new key of these warehouses. */
export async function within(
  admin: Client,
  role: string,
  warehouses: readonly string[],
): Promise<Client> {
  const secret = await secretWithin(admin, role, warehouses);
  return clientOf(() => admin.url, secret);
}

async function onBoth(act: (location: string, side: Side) => Promise<string>): Promise<Sides> {
  return { near: await act('NEAR', 'near'), far: await act('FAR', 'far') };
}

/** Locations NEAR, NEAR2, FAR and FAR2; the SKUs BOTH and COUNTED; the order PO. */
export async function layGround(client: Client): Promise<Ground> {
  for (const place of ['NEAR', 'NEAR2', 'FAR', 'FAR2']) {
    const warehouse = warehousesOf[place.startsWith('NEAR') ? 'near' : 'far'];
    await client.put(`/v1/locations/${place}`, { warehouse });
  }
  await client.put('/v1/skus/BOTH', { description: 'on both sides', barcodes: [{ code: '111' }] });
  await client.put('/v1/skus/COUNTED', { description: 'counted' });
  const action = await onBoth(async (location) => {
    const moved = await client.move({ type: 'receive', sku: 'BOTH', location, quantity: 50 });
    return actionShown.parse(moved.body).actionId;
  });
  for (const location of ['NEAR', 'FAR']) {
    await client.move({ type: 'receive', sku: 'COUNTED', location, quantity: 5 });
  }
  const post = async (path: string, body: object): Promise<string> => {
    const made = await client.send('POST', path, { body, key: freshKey() });
    return idShown.parse(made.body).id;
  };
  const held = { quantity: 2, ttlSeconds: null, reference: 'ref' };
  const hold = await onBoth((location) =>
    post('/v1/skus/BOTH/reservations', { ...held, location }),
  );
  const count = await onBoth((location) =>
    post('/v1/stock-counts', { locations: [location], skus: ['COUNTED'] }),
  );
  const order = { number: 'PO', supplier: 'S', lines: [{ line: 1, sku: 'BOTH', ordered: 90 }] };
  await client.send('POST', '/v1/purchase-orders', { body: order, key: freshKey() });
  const receipt = await onBoth((location) =>
    post('/v1/purchase-orders/PO/receipts', { lines: [{ line: 1, location, quantity: 1 }] }),
  );
  const key = await onBoth((_, side) =>
    post('/v1/api-keys', { name: `${side}-key`, role: 'admin', warehouses: [warehousesOf[side]] }),
  );
  await onBoth(async (location, side) => {
    const daily = { locations: [location], every: 'P1D', at: '2099-01-01T00:00:00Z' };
    await client.put(`/v1/cycle-counts/${side}`, daily);
    return side;
  });
  const dock = dockClient(client);
  const slot = await onBoth((_, side) => dock.open({ warehouse: warehousesOf[side], capacity: 9 }));
  const appoint = async (side: Side) => holdIn(await dock.hold(slot[side])).id;
  const appointment = { near: await appoint('near'), far: await appoint('far') };
  return { action, hold, count, receipt, key, slot, appointment };
}
