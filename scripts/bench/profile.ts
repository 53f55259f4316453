/** Where the path's time goes: its CPU profile, and the round trips that it waits for. */
import { mkdtemp, readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { textTable } from '../replay/text-table.ts';
import type { SelfTime } from './cpu-profile.ts';
import { topSelfTimes } from './cpu-profile.ts';
import type { RunReport, Worker } from './processes.ts';
import { startWorker } from './processes.ts';
import type { PortCall } from './protocol.ts';
import type { Site } from './site.ts';
import type { Stock } from './stock.ts';
import { describeStock, stockOf } from './stock.ts';

export interface ProfileResult {
  readonly file: string;
  readonly movements: number;
  readonly movementsPerSecond: number;
  readonly calls: readonly PortCall[];
  readonly selfTimes: readonly SelfTime[];
  readonly text: string;
}

const functionsShown = 25;

export async function profilePath(site: Site): Promise<readonly ProfileResult[]> {
  const { ground, spec } = site.plot('path');
  if (spec.strategy !== 'path') throw new Error('the path stands on another ground');
  const cases = [
    { stock: stockOf('many', site.settings.manySkus), clients: 16 },
    { stock: stockOf('one', site.settings.manySkus), clients: 64 },
  ];
  for (const { stock } of cases) await ground.ready(stock);
  const folder = await mkdtemp(path.join(os.tmpdir(), 'stockroom-bench-'));
  const worker = await startWorker({ ...spec, timed: true });
  const results: ProfileResult[] = [];
  try {
    for (const { stock, clients } of cases) {
      const drive = (seconds: number, profileInto?: string) =>
        driveOnce(site, worker, { stock, clients, seconds, profileInto });
      ground.credit(stock, (await drive(1)).result.tallies);
      const report = await drive(site.settings.seconds, folder);
      ground.credit(stock, report.result.tallies);
      await ground.check(stock);
      results.push(await resultOf(`${describeStock(stock)}, ${clients} clients`, report));
    }
    await ground.checkEntries();
  } finally {
    await worker.stop();
  }
  return results;
}

function driveOnce(
  site: Site,
  worker: Worker,
  asked: {
    readonly stock: Stock;
    readonly clients: number;
    readonly seconds: number;
    readonly profileInto: string | undefined;
  },
): Promise<RunReport> {
  const { stock, clients, seconds, profileInto } = asked;
  return worker.run({
    stock: stock.name,
    manySkus: site.settings.manySkus,
    load: { clients, seed: 1, amount: { seconds } },
    profileInto,
  });
}

async function resultOf(title: string, { result, profile }: RunReport): Promise<ProfileResult> {
  if (profile === undefined) throw new Error('a run that was to be profiled was not');
  const { file, calls } = profile;
  const movements = result.latency.samples;
  const movementsPerSecond = (movements * 1_000) / result.elapsedMs;
  const selfTimes = topSelfTimes(await readFile(file, 'utf8'), functionsShown);
  const text = [
    `Profile of the path, ${title}: ${Math.round(movementsPerSecond)} movements/s, ${file}`,
    callsTable(calls, movements),
    '',
    textTable(
      ['function (self time)', '%'],
      selfTimes.map(({ where, percent }) => [where, percent.toFixed(1)]),
    ),
  ].join('\n');
  return { file, movements, movementsPerSecond, calls, selfTimes, text };
}

/** A call's share is what one movement waits for it, were it to wait for each alone. */
function callsTable(calls: readonly PortCall[], movements: number): string {
  return textTable(
    ['port', 'calls', 'a movement', 'mean ms', 'ms a movement'],
    calls
      .toSorted((one, other) => other.calls * other.meanMs - one.calls * one.meanMs)
      .map(({ name, calls: count, meanMs }) => [
        name,
        count,
        (count / movements).toFixed(3),
        meanMs.toFixed(2),
        ((count * meanMs) / movements).toFixed(3),
      ]),
  );
}
