/** `npm run bench`: how fast the service is on this machine's engine, beside its references. */
import { writeFile } from 'node:fs/promises';
import os from 'node:os';
import { helped } from '../help.ts';
import type { BenchSettings, SectionName } from './command-line.ts';
import { UsageError, readBenchSettings, usage } from './command-line.ts';
import type { EnduranceResult } from './endurance.ts';
import { measureEndurance } from './endurance.ts';
import { openEngine } from './engine.ts';
import { measureAlarms } from './alarms.ts';
import type { Row } from './figures.ts';
import { measureHolds } from './holds.ts';
import { measureIdle } from './idle.ts';
import { endAll } from './processes.ts';
import type { ProfileResult } from './profile.ts';
import { profileAll } from './profile.ts';
import { measureReceipts } from './receipts.ts';
import { scope } from './scope.ts';
import { measureInProcess, measureOverHttp, measureProcesses } from './sections.ts';
import type { Site } from './site.ts';
import { openSite } from './site.ts';
import { figuresTable, targetsTable } from './table.ts';
import type { SectionResult } from './targets.ts';
import { judge } from './targets.ts';

const interruption = new AbortController();

interface Measured {
  readonly rows: Row[];
  readonly profiles: ProfileResult[];
  endurance: EnduranceResult | undefined;
  /** Of the sections that compare no strategies. */
  readonly others: SectionResult[];
}

/** Each section's figures are there as soon as it is done, whatever becomes of the next. */
async function measure(
  site: Site,
  uri: string,
  sections: ReadonlySet<SectionName>,
  into: Measured,
): Promise<void> {
  if (sections.has('in-process')) into.rows.push(...(await measureInProcess(site)));
  if (sections.has('http')) into.rows.push(...(await measureOverHttp(site)));
  if (sections.has('processes')) into.rows.push(...(await measureProcesses(site)));
  if (sections.has('profile')) into.profiles.push(...(await profileAll(site)));
  const { alarms, idleSeconds } = site.settings;
  if (sections.has('holds')) into.others.push(await measureHolds(uri));
  if (sections.has('receipts')) into.others.push(await measureReceipts(uri));
  if (sections.has('alarms')) into.others.push(await measureAlarms(uri, alarms));
  if (sections.has('idle')) into.others.push(await measureIdle(uri, idleSeconds));
  if (sections.has('endurance')) into.endurance = await measureEndurance(site);
}

async function run(settings: BenchSettings): Promise<void> {
  const engine = await openEngine(settings);
  const measured: Measured = { rows: [], profiles: [], others: [], endurance: undefined };
  try {
    const site = openSite(engine, settings, { progress, signal: interruption.signal });
    try {
      await measure(site, engine.uri, settings.sections, measured);
    } finally {
      await endAll();
      await site.clear();
    }
  } finally {
    await show(engine.name, settings, measured);
    await engine.stop();
  }
}

async function show(engine: string, settings: BenchSettings, measured: Measured): Promise<void> {
  const { runs, seconds, jsonFile } = settings;
  const machine = `${os.cpus().length} × ${os.cpus()[0]?.model ?? 'unknown processor'}`;
  const targets = [
    ...judge(measured.rows),
    ...(measured.endurance?.targets ?? []),
    ...measured.others.flatMap(({ targets: own }) => own),
  ];
  const parts = [
    `Engine: ${engine}`,
    `Machine: ${machine}, Node ${process.versions.node}; ${runs} runs of ${seconds} s`,
    ...(measured.rows.length === 0 ? [] : ['', figuresTable(measured.rows)]),
    ...measured.profiles.map(({ text }) => `\n${text}`),
    ...(measured.endurance === undefined ? [] : ['', measured.endurance.text]),
    ...measured.others.map(({ text }) => `\n${text}`),
    '',
    targetsTable(targets),
    '',
    scope,
  ];
  process.stdout.write(`${parts.join('\n')}\n`);
  if (jsonFile === undefined) return;
  const json = { engine, machine, settings: { runs, seconds }, ...measured, targets };
  await writeFile(jsonFile, `${JSON.stringify(json, null, 2)}\n`);
}

function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** An interrupted measurement fails in its own way, which is no news. */
function reasonOf(error: unknown): string {
  if (interruption.signal.aborted) return String(interruption.signal.reason);
  return error instanceof UsageError ? `${error.message}\n${usage}` : String(error);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    // The running measurement fails with its process; what was made is cleared on the way out.
    interruption.abort(new Error(`${signal}: interrupted`));
    void endAll();
  });
}

try {
  if (!helped(usage)) await run(readBenchSettings(process.argv.slice(2), process.env));
} catch (error) {
  process.stderr.write(`${reasonOf(error)}\n`);
  process.exitCode = 1;
}
