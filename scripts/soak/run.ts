/** A soak from its beginning to its report. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { Client } from '../../test/support/http-client.ts';
import type { SoakSettings } from './command-line.ts';
import { skus } from './desk.ts';
import type { Happened } from './faults.ts';
import { makeTrouble } from './faults.ts';
import type { MixedLoad } from './load.ts';
import { startMixedLoad } from './load.ts';
import { pictureOf } from './picture.ts';
import type { Outcome } from './report.ts';
import { figuresOf, reportOf } from './report.ts';
import type { Sample } from './samples.ts';
import { createSampler } from './samples.ts';
import type { Site } from './site.ts';
import { openSite } from './site.ts';

const betweenSamplesMs = 2_000;
/** Once nothing more goes wrong, every caller has an answer within this time, or never. */
const patienceMs = 120_000;

type Say = (line: string) => void;

/** @returns whether all is well. */
export async function runSoak(settings: SoakSettings, say: Say): Promise<boolean> {
  const site = await openSite(say);
  let isWell = false;
  try {
    say(`soaking in ${site.data} for ${settings.minutes} minutes`);
    const outcome = await soak(site, settings, say);
    await write(outcome, settings.into, say);
    for (const finding of outcome.findings) say(finding);
    isWell = outcome.findings.length === 0;
    if (!isWell) say(`kept for you to look at: ${site.data}`);
    return isWell;
  } finally {
    await site.leave(!isWell);
  }
}

async function soak(site: Site, settings: SoakSettings, say: Say): Promise<Outcome> {
  const { minutes, clients } = settings;
  const { places } = site;
  const through = (attempt: number) => {
    const place = places[attempt % places.length];
    if (place === undefined) throw new TypeError('there is no service');
    return place.client;
  };
  const load = await startMixedLoad(through, clients);
  const since = performance.now();
  const sinceMs = () => performance.now() - since;
  const overMs = minutes * 60_000;
  const samples: Sample[] = [];
  const happened: Happened[] = [];
  const sample = createSampler(site, load.takeMet);
  const sampling = async (): Promise<void> => {
    while (sinceMs() < overMs) {
      await pause(Math.min(betweenSamplesMs, Math.max(0, overMs - sinceMs())));
      samples.push(await sample(sinceMs()));
    }
  };
  const trouble = makeTrouble(site, { overMs, sinceMs }, (event) => {
    happened.push(event);
    say(`${Math.round(event.atMs / 1_000)} s: ${event.what}`);
  });
  await Promise.all([sampling(), trouble]);
  say('nothing more goes wrong; the callers wait for their last answers');
  const answers = await endOf(load);
  const { movements, findings } = await verified(through(0));
  return {
    minutes,
    clients,
    engine: site.engine,
    answered: load.answered(),
    unanswered: load.unanswered(),
    movements,
    happened,
    samples,
    findings: [...answers, ...findings],
  };
}

/** Everybody has an answer, none was inexcusable, and the histories explain them all. */
async function endOf(load: MixedLoad): Promise<readonly string[]> {
  const limit = new AbortController();
  const overdue = pause(patienceMs, true, { signal: limit.signal }).catch(() => false);
  const isOverdue = await Promise.race([overdue, load.end().then(() => false)]);
  limit.abort();
  if (isOverdue) {
    return [`callers have no answer ${patienceMs / 1_000} s after the last fault`];
  }
  const inexcusable = load.inexcusable().map((answer) => `a caller was answered ${answer}`);
  const breaches = (await load.check()).map(
    ({ rule, sku, detail }) => `${sku}: ${rule}: ${detail}`,
  );
  return [...inexcusable, ...breaches];
}

const stock = z.object({ movementCount: z.number() });
const verification = z.object({
  checks: z.array(z.object({ name: z.string(), ok: z.boolean(), detail: z.string() })),
});

/** The service's own verification of each SKU. */
async function verified({ get }: Client): Promise<Pick<Outcome, 'movements' | 'findings'>> {
  const findings: string[] = [];
  let movements = 0;
  for (const sku of skus) {
    movements += stock.parse((await get(`/v1/skus/${sku}`)).body).movementCount;
    const { checks } = verification.parse((await get(`/v1/skus/${sku}/verification`)).body);
    const failed = checks.filter(({ ok }) => !ok);
    findings.push(...failed.map(({ name, detail }) => `${sku}: not "${name}": ${detail}`));
  }
  return { movements, findings };
}

async function write(outcome: Outcome, folder: string, say: Say): Promise<void> {
  const picture = 'figures.svg';
  const { samples, happened } = outcome;
  const times = samples.map(({ atMs }) => atMs);
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, picture), pictureOf(figuresOf(samples), times, happened));
  const report = path.join(folder, 'report.md');
  await writeFile(report, reportOf(outcome, picture));
  say(`the report is in ${report}`);
}
