/**
 * What reminders cost: `npx tsx scripts/bench/reminders.ts [--due 10000] [--idle-seconds 20]`.
 *
 * Lets so many reminders become due at one moment, of a database of its own on MONGODB_URI or else
 * on the bench's local engine, and two service processes tell a webhook of them; prints how long it
 * took from that moment to the last one, and whether each came once. Then counts the commands that
 * an idle process sends to the database. Exits 1 where one came twice or an idle process asked
 * more than once a second. The webhook is this very process, so its share of the machine counts.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { MongoClient } from 'mongodb';
import { z } from 'zod';
import { parseReminderId } from '../../src/domain/reminder.ts';
import { createReminderLoop } from '../../src/inventory/reminder-loop.ts';
import { processTimer } from '../../src/inventory/timer.ts';
import { collectionsOf } from '../../src/store/documents.ts';
import { createReminderStore } from '../../src/store/reminder-store.ts';
import { startEngine } from '../local-engine/engine.ts';
import { endAll, startService } from './processes.ts';
import { prepareDatabase } from './seed.ts';
import { required } from './stock.ts';

const database = `stockroom_reminders_${randomUUID().slice(0, 8)}`;
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

async function seed(client: MongoClient, total: number, dueAt: Date): Promise<void> {
  const { reminders } = collectionsOf(client.db(database));
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
async function deliver(client: MongoClient, uri: string, total: number): Promise<boolean> {
  const webhook = await startWebhook();
  process.env['WEBHOOK_URL'] = webhook.url;
  process.env['WEBHOOK_SECRET'] = randomBytes(16).toString('hex');
  const secret = randomBytes(16).toString('hex');
  const services = await Promise.all([1, 2].map(() => startService({ uri, database, secret })));
  try {
    const seedMs = Math.max(settleMs, total * 2);
    const dueAt = new Date(Date.now() + seedMs);
    await seed(client, total, dueAt);
    if (Date.now() > dueAt.getTime()) throw new Error('the seeding took too long');
    await webhook.until(total);
    const seconds = (Date.now() - dueAt.getTime()) / 1_000;
    // Whatever comes twice comes within a lease.
    await pause(settleMs);
    const twice = Array.from(webhook.times.values()).filter((times) => times > 1).length;
    const rate = Math.round(total / seconds).toLocaleString('en-US');
    process.stdout.write(
      `${total} due reminders, two processes, one webhook: ${seconds.toFixed(1)} s ` +
        `(${rate} a second), ${twice} delivered more than once\n`,
    );
    return twice === 0;
  } finally {
    await Promise.all(services.map((service) => service.stop()));
    webhook.stop();
  }
}

/** Commands on the wire, by whatever name. */
async function idle(uri: string, seconds: number): Promise<boolean> {
  const client = new MongoClient(uri, { monitorCommands: true });
  let commands = 0;
  client.on('commandStarted', () => {
    commands += 1;
  });
  const { reminders, marks } = collectionsOf(client.db(database));
  const loop = createReminderLoop({
    ports: { reminders: createReminderStore(reminders, marks), timer: processTimer },
    deliverers: new Map([['webhook', () => Promise.resolve({ kind: 'done' })]]),
    report: (event) => {
      process.stderr.write(`${JSON.stringify(event)}\n`);
    },
  });
  try {
    loop.start();
    await pause(seconds * 1_000);
    await loop.stop();
    process.stdout.write(`idle: ${commands} commands to the database in ${seconds} s\n`);
    // The first comes at the very beginning.
    return commands <= seconds + 1;
  } finally {
    await client.close();
  }
}

async function run(): Promise<number> {
  const { values } = parseArgs({
    options: {
      due: { type: 'string', default: '10000' },
      'idle-seconds': { type: 'string', default: '20' },
    },
  });
  const count = z.coerce.number().int().min(1);
  await using engine = await startEngine({ dataDirectory: '.data/bench' });
  const client = new MongoClient(engine.uri);
  try {
    await prepareDatabase(client.db(database));
    const isOnce = await deliver(client, engine.uri, count.parse(values.due));
    const isQuiet = await idle(engine.uri, count.parse(values['idle-seconds']));
    return isOnce && isQuiet ? 0 : 1;
  } finally {
    await client.db(database).dropDatabase();
    await client.close();
    await endAll();
  }
}

process.exitCode = await run();
