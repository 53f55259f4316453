/** A process of the bench's own that opens one strategy and drives it with clients. */
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { profiled } from './cpu-profile.ts';
import { closedLoop } from './load.ts';
import { PortClock } from './port-clock.ts';
import type { Order, Report, StrategySpec } from './protocol.ts';
import { order } from './protocol.ts';
import { stockOf } from './stock.ts';
import { openBare } from './strategies/bare.ts';
import { openHttp } from './strategies/http.ts';
import type { Mover } from './strategies/mover.ts';
import { openPath } from './strategies/path.ts';
import { openPlain } from './strategies/plain.ts';
import { openSql } from './strategies/sql.ts';

const clock = new PortClock();
let mover: Mover | undefined;

async function open(spec: StrategySpec): Promise<Mover> {
  switch (spec.strategy) {
    case 'path':
      return openPath(spec.uri, spec.database, spec.timed === true ? clock.watch : undefined);
    case 'plain':
      return openPlain(spec.uri, spec.database);
    case 'bare':
      return openBare(spec.uri, spec.database);
    case 'tx':
    case 'one':
      return openSql(spec.strategy, spec.postgres, spec.schema);
    case 'http':
      return openHttp(spec.url, spec.secret);
  }
}

async function run(asked: Extract<Order, { kind: 'run' }>): Promise<Report> {
  if (mover === undefined) throw new Error('no strategy is open');
  const opened = mover;
  const drive = () => closedLoop(opened, stockOf(asked.stock, asked.manySkus), asked.load);
  if (asked.profileInto === undefined) return { kind: 'ran', result: await drive() };
  const file = path.join(asked.profileInto, `path-${asked.stock}-${asked.load.clients}.cpuprofile`);
  clock.reset();
  const result = await profiled(file, drive);
  return { kind: 'ran', result, profile: { file, calls: clock.calls() } };
}

async function carryOut(asked: Order): Promise<Report> {
  switch (asked.kind) {
    case 'open':
      mover = await open(asked.spec);
      return { kind: 'done' };
    case 'run':
      return run(asked);
    case 'memory': {
      await settle();
      const { rss, heapUsed } = process.memoryUsage();
      return { kind: 'memory', rssBytes: rss, heapUsedBytes: heapUsed };
    }
    case 'close':
      await mover?.close();
      mover = undefined;
      return { kind: 'done' };
  }
}

/** What is garbage does not count; it takes a few collections to give pages back. */
async function settle(): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    global.gc?.();
    await pause(100);
  }
}

process.on('message', (message) => {
  carryOut(order.parse(message)).then(
    (report) => process.send?.(report),
    (error: unknown) => {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      process.send?.({ kind: 'failed', message: text } satisfies Report);
    },
  );
});
// The bench is gone, however it went: nothing here is worth finishing.
process.once('disconnect', () => process.exit());
