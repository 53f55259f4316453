/** Where the time goes: CPU profiles of path and service, and the round trips that they wait for. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { textTable } from '../replay/text-table.ts';
import type { Plot } from './contender.ts';
import type { SelfTime } from './cpu-profile.ts';
import { topSelfTimes } from './cpu-profile.ts';
import type { LoadResult } from './load.ts';
import type { RunReport, Worker } from './processes.ts';
import { startService, startWorker } from './processes.ts';
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

export async function profileAll(site: Site): Promise<readonly ProfileResult[]> {
  const plot = site.plot('path');
  const { manySkus } = site.settings;
  const folder = await mkdtemp(path.join(os.tmpdir(), 'stockroom-bench-'));
  for (const name of ['many', 'one'] as const) await plot.ground.ready(stockOf(name, manySkus));
  const results = [
    ...(await profilePath(site, plot, folder)),
    await profileService(site, plot, folder, { stock: stockOf('one', manySkus), clients: 64 }),
    await profileService(site, plot, folder, { stock: stockOf('many', manySkus), clients: 64 }),
  ];
  await plot.ground.audit();
  return results;
}

interface Case {
  readonly stock: Stock;
  readonly clients: number;
}

async function profilePath(
  site: Site,
  { ground, spec }: Plot,
  folder: string,
): Promise<readonly ProfileResult[]> {
  if (spec.strategy !== 'path') throw new Error('the path stands on another ground');
  const cases: readonly Case[] = [
    { stock: stockOf('many', site.settings.manySkus), clients: 16 },
    { stock: stockOf('one', site.settings.manySkus), clients: 64 },
  ];
  const worker = await startWorker({ ...spec, timed: true });
  const results: ProfileResult[] = [];
  try {
    for (const one of cases) {
      ground.credit(one.stock, (await driveOnce(site, worker, one)).result.tallies);
      const { result, profile } = await driveOnce(site, worker, one, folder);
      ground.credit(one.stock, result.tallies);
      await ground.check(one.stock);
      if (profile === undefined) throw new Error('a run that was to be profiled was not');
      const title = `the path, ${describeStock(one.stock)}, ${one.clients} clients`;
      results.push(await resultOf(title, result, profile));
    }
  } finally {
    await worker.stop();
  }
  return results;
}

/** The whole life of a service process, its start included. */
async function profileService(
  site: Site,
  { ground, spec }: Plot,
  folder: string,
  one: Case,
): Promise<ProfileResult> {
  if (spec.strategy !== 'path') throw new Error('the path stands on another ground');
  const secret = randomBytes(24).toString('base64url');
  const file = path.join(folder, `service-${one.stock.name}-${one.clients}.cpuprofile`);
  const { uri, database } = spec;
  const service = await startService({ uri, database, secret, profileInto: file });
  const worker = await startWorker({ strategy: 'http', url: service.url, secret });
  const reports: RunReport[] = [];
  for (let run = 0; run < 2; run += 1) {
    const report = await driveOnce(site, worker, one);
    ground.credit(one.stock, report.result.tallies);
    reports.push(report);
  }
  await ground.check(one.stock);
  await worker.stop();
  await service.stop();
  const [, last] = reports;
  if (last === undefined) throw new Error('the service was not driven');
  const title = `the service over HTTP, ${describeStock(one.stock)}, ${one.clients} clients`;
  return resultOf(title, last.result, { file, calls: [] });
}

function driveOnce(
  { settings }: Site,
  worker: Worker,
  { stock, clients }: Case,
  profileInto?: string,
): Promise<RunReport> {
  return worker.run({
    stock: stock.name,
    manySkus: settings.manySkus,
    load: { clients, seed: 1, amount: { seconds: settings.seconds } },
    profileInto,
  });
}

async function resultOf(
  title: string,
  result: LoadResult,
  { file, calls }: { readonly file: string; readonly calls: readonly PortCall[] },
): Promise<ProfileResult> {
  const movements = result.latency.samples;
  const movementsPerSecond = (movements * 1_000) / result.elapsedMs;
  const selfTimes = topSelfTimes(await readFile(file, 'utf8'), functionsShown);
  const functions = textTable(
    ['function (self time)', '%'],
    selfTimes.map(({ where, percent }) => [where, percent.toFixed(1)]),
  );
  const text = [
    `Profile of ${title}: ${Math.round(movementsPerSecond)} movements/s, ${file}`,
    ...(calls.length === 0 ? [] : [callsTable(calls, movements), '']),
    functions,
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
