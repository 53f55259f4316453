/**
 * What due alarms cost. So many reminders become due at one moment, and two service processes tell a
 * webhook of them: how long it takes from that moment to the last one, and whether each came once.
 * The webhook is this very process, so its share of the machine counts.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { MongoClient } from 'mongodb';
import { parseReminderId } from '../../src/domain/reminder.ts';
import { collectionsOf } from '../../src/store/documents.ts';
import { startService } from './processes.ts';
import { prepareDatabase } from './seed.ts';
import { required } from './stock.ts';
import type { SectionResult } from './targets.ts';
import { judged } from './targets.ts';

const settleMs = 5_000;
const atOnce = 1_000;

interface Counting {
  readonly url: string;
  /** How often each delivery id came. */
  readonly times: ReadonlyMap<string, number>;
  /** Resolves when so many different ones have come. */
  readonly until: (count: number) => Promise<void>;
  readonly stop: () => void;
}

async function startWebhook(): Promise<Counting> {
  const times = new Map<string, number>();
  let look: () => void = () => undefined;
  const server = createServer((request, response) => {
    const id = String(request.headers['delivery-id']);
    times.set(id, (times.get(id) ?? 0) + 1);
    request.resume();
    request.on('end', () => {
      response.end();
      look();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no TCP address');
  return {
    url: `http://127.0.0.1:${address.port}/`,
    times,
    until: (count) =>
      new Promise((resolve) => {
        look = () => {
          if (times.size >= count) resolve();
        };
        look();
      }),
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function seed(db: Db, total: number, dueAt: Date): Promise<void> {
  const { reminders } = collectionsOf(db);
  for (let from = 0; from < total; from += atOnce) {
    const count = Math.min(atOnce, total - from);
    const documents = Array.from({ length: count }, (_, index) => ({
      _id: required(parseReminderId('bench', `due:${from + index}`)),
      armedBy: 'bench',
      receiver: 'webhook' as const,
      missed: 'latest' as const,
      payload: '{"why":"a bench"}',
      firstDueAt: dueAt,
      dueAt,
      nextAt: dueAt,
      state: 'armed' as const,
      attempts: 0,
    }));
    await reminders.insertMany(documents, { ordered: false });
  }
}

/** The moment from which they are due is the same for all, and still to come when they are set. */
async function deliver(
  client: MongoClient,
  uri: string,
  database: string,
  total: number,
): Promise<SectionResult> {
  const webhook = await startWebhook();
  process.env['WEBHOOK_URL'] = webhook.url;
  process.env['WEBHOOK_SECRET'] = randomBytes(16).toString('hex');
  const secret = randomBytes(16).toString('hex');
  const services = await Promise.all([1, 2].map(() => startService({ uri, database, secret })));
  try {
    const seedMs = Math.max(settleMs, total * 2);
    const dueAt = new Date(Date.now() + seedMs);
    await seed(client.db(database), total, dueAt);
    if (Date.now() > dueAt.getTime()) throw new Error('the seeding took too long');
    await webhook.until(total);
    const seconds = (Date.now() - dueAt.getTime()) / 1_000;
    // Whatever comes twice comes within a lease.
    await pause(settleMs);
    const twice = Array.from(webhook.times.values()).filter((times) => times > 1).length;
    const rate = Math.round(total / seconds).toLocaleString('en-US');
    return {
      targets: [
        judged(
          `a1  of ${total} due alarms, share delivered`,
          { atLeast: 1 },
          webhook.times.size / total,
        ),
        judged('a2  alarms delivered more than once', { atMost: 0 }, twice),
      ],
      text:
        `Alarms: ${total} due at once, two processes, one webhook: ${seconds.toFixed(1)} s ` +
        `(${rate} a second), ${twice} delivered more than once`,
    };
  } finally {
    await Promise.all(services.map((service) => service.stop()));
    webhook.stop();
  }
}

/** @param uri of the engine; the database that is made on it goes again. */
export async function measureAlarms(uri: string, total: number): Promise<SectionResult> {
  const database = `bench_alarms_${randomUUID().slice(0, 8)}`;
  const client = new MongoClient(uri);
  try {
    await prepareDatabase(client.db(database));
    return await deliver(client, uri, database, total);
  } finally {
    await client.db(database).dropDatabase();
    await client.close();
  }
}
