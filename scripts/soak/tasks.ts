/** What a caller of a soak does, each with what the history has to say of it afterwards. */
import { randomInt } from 'node:crypto';
import { z } from 'zod';
import type { Reply } from '../../test/support/http-client.ts';
import { movementShape } from '../../test/support/http-history.ts';
import type { Asked } from '../history/history.ts';
import type { Desk } from './desk.ts';
import { anyOf, locations, skus } from './desk.ts';
import { countTask, receiptTask } from './saga-tasks.ts';

interface Tasks {
  readonly setUp: () => Promise<void>;
  readonly doOne: () => Promise<void>;
}

const skuPath = (sku: string): string => `/v1/skus/${encodeURIComponent(sku)}`;

type Task = (desk: Desk) => Promise<unknown>;

/** As often as its weight says. More comes in than goes out, lest everything is refused in the end. */
const tasks: readonly (readonly [weight: number, task: Task])[] = [
  [24, receive],
  [24, ship],
  [12, transfer],
  [5, adjust],
  [4, undo],
  [12, hold],
  [3, receiptTask],
  [1, countTask],
  [15, read],
];
const weights = tasks.reduce((sum, [weight]) => sum + weight, 0);

export function createTasks(desk: Desk): Tasks {
  return {
    setUp: async () => {
      for (const location of locations) {
        await desk.ask({
          method: 'PUT',
          path: `/v1/locations/${location}`,
          body: { warehouse: 'W' },
        });
      }
      for (const sku of skus) {
        await desk.ask({ method: 'PUT', path: skuPath(sku), body: { description: sku } });
      }
    },
    doOne: async () => {
      let left = randomInt(weights);
      const [, chosen] = tasks.find(([weight]) => (left -= weight) < 0) ?? [0, receive];
      await chosen(desk);
    },
  };
}

function move(ask: Desk['ask'], body: object, asked: Asked): Promise<Reply> {
  return ask({ method: 'POST', path: '/v1/movements', body }, asked);
}

function receive({ ask }: Desk): Promise<Reply> {
  const [sku, location, quantity] = [anyOf(skus), anyOf(locations), 1 + randomInt(9)];
  const lines = [{ location, delta: quantity }];
  return move(ask, { type: 'receive', sku, location, quantity }, { sku, lines });
}

function ship({ ask }: Desk): Promise<Reply> {
  const [sku, location, quantity] = [anyOf(skus), anyOf(locations), 1 + randomInt(6)];
  const lines = [{ location, delta: 0 - quantity }];
  const needs = { location, quantity, of: 'available' } as const;
  return move(ask, { type: 'ship', sku, location, quantity }, { sku, lines, needs });
}

function transfer({ ask }: Desk): Promise<Reply> {
  const [sku, from, quantity] = [anyOf(skus), anyOf(locations), 1 + randomInt(6)];
  const to = anyOf(locations.filter((location) => location !== from));
  const lines = [
    { location: from, delta: 0 - quantity },
    { location: to, delta: quantity },
  ];
  const needs = { location: from, quantity, of: 'available' } as const;
  return move(ask, { type: 'transfer', sku, from, to, quantity }, { sku, lines, needs });
}

function adjust({ ask }: Desk): Promise<Reply> {
  const [sku, location] = [anyOf(skus), anyOf(locations)];
  const delta = anyOf([-2, -1, 1, 2]);
  const lines = [{ location, delta }];
  const needs = { location, quantity: 0 - delta, of: 'on-hand' } as const;
  const body = { type: 'adjust', sku, location, delta, reason: 'damage' };
  return move(ask, body, { sku, lines, ...(delta < 0 && { needs }) });
}

/** A receipt that is taken back, where the goods are still there. */
async function undo(desk: Desk): Promise<void> {
  const received = movementShape.parse((await receive(desk)).body);
  const { actionId, sku, lines } = received;
  const [line] = lines;
  if (line === undefined) return;
  const { location, delta: quantity } = line;
  const asked = { sku, lines: [{ location, delta: 0 - quantity }] };
  const needs = { location, quantity, of: 'available' } as const;
  const path = `/v1/movements/${encodeURIComponent(actionId)}/reverse`;
  await desk.ask({ method: 'POST', path }, { ...asked, needs });
}

const held = z.object({ id: z.string() });

/** A hold that is shipped, given back, made smaller and then shipped, or left to lapse. */
async function hold({ ask }: Desk): Promise<void> {
  const [sku, location, quantity] = [anyOf(skus), anyOf(locations), 2 + randomInt(3)];
  const needs = { location, quantity, of: 'available' } as const;
  const body = { location, quantity, ttlSeconds: 1 + randomInt(20) };
  const asked = { sku, lines: [], needs };
  const made = await ask({ method: 'POST', path: `${skuPath(sku)}/reservations`, body }, asked);
  if (made.status >= 400) return;
  const path = `${skuPath(sku)}/reservations/${held.parse(made.body).id}`;
  const nothingMoves = { sku, lines: [] };
  const commit = (units: number) => {
    const shipped = { sku, lines: [{ location, delta: 0 - units }] };
    const onHand = { location, quantity: units, of: 'on-hand' } as const;
    return ask({ method: 'POST', path: `${path}/commit` }, { ...shipped, needs: onHand });
  };
  switch (randomInt(4)) {
    case 0:
      await commit(quantity);
      return;
    case 1:
      await ask({ method: 'DELETE', path }, nothingMoves);
      return;
    case 2: {
      const smaller = { method: 'PATCH', path, body: { quantity: quantity - 1 } };
      const changed = await ask(smaller, nothingMoves);
      if (changed.status < 400) await commit(quantity - 1);
      return;
    }
    default:
      return;
  }
}

async function read({ ask }: Desk): Promise<void> {
  const sku = anyOf(skus);
  const path = anyOf([
    skuPath(sku),
    `${skuPath(sku)}/movements?limit=50`,
    `/v1/locations/${anyOf(locations)}/stock`,
    '/v1/skus?limit=20',
    '/v1/movements?limit=20',
  ]);
  await ask({ method: 'GET', path });
}
