/** What a service that nobody calls asks of its database. */
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { countCommands } from './command-counter.ts';
import { startService } from './processes.ts';
import type { SectionResult } from './targets.ts';
import { judged } from './targets.ts';

/** By then it has made its indexes and begun to wait. */
const settleMs = 3_000;

/** @param uri of the engine; the database that is made on it goes again. */
export async function measureIdle(uri: string, seconds: number): Promise<SectionResult> {
  const database = `bench_idle_${randomUUID().slice(0, 8)}`;
  const wire = await countCommands(uri);
  const client = new MongoClient(uri);
  try {
    const secret = randomBytes(16).toString('hex');
    const service = await startService({ uri: wire.uri, database, secret });
    await ready(service.url);
    await pause(settleMs);
    const before = wire.counts();
    await pause(seconds * 1_000);
    const after = wire.counts();
    await service.stop();
    const asked = Array.from(
      after,
      ([name, count]) => [name, count - (before.get(name) ?? 0)] as const,
    );
    const some = asked.filter(([, count]) => count > 0);
    const total = some.reduce((sum, [, count]) => sum + count, 0);
    const names = some.map(([name, count]) => `${name} ${count}`).join(', ');
    return {
      targets: [judged('i1  commands a second of an idle service', { atMost: 1 }, total / seconds)],
      text: `Idle: ${total} commands to the database in ${seconds} s (${names})`,
    };
  } finally {
    await client.db(database).dropDatabase();
    await client.close();
    wire.stop();
  }
}

async function ready(url: string): Promise<void> {
  for (;;) {
    const { status } = await fetch(`${url}/readyz`);
    if (status === 200) return;
    await pause(100);
  }
}
