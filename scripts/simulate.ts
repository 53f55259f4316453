/**
 * Plays seeds of the simulation: `npm run simulate -- --seed 7 --runs 1000`. A seed that breaks a rule
 * is printed, shrunk, event by event; the same seed always plays the same.
 */
import { parseArgs } from 'node:util';
import { helped } from './help.ts';
import { firstFailing, reportOf } from '../test/simulation/report.ts';
import { isKind } from '../test/simulation/scenario.ts';
import { playOf, simulate } from '../test/simulation/simulate.ts';

const usage =
  'usage: npm run simulate -- [--seed N] [--runs N] [--kind stock|holds|receiving|counting|endings|barcodes]';

async function main(): Promise<number> {
  if (helped(usage)) return 0;
  const values = given();
  if (values === undefined) {
    console.error(usage);
    return 2;
  }
  const seed = wholeNumber(values.seed ?? String(Date.now() % 1_000_000_000));
  const runs = wholeNumber(values.runs ?? (values.seed === undefined ? '1000' : '1'));
  const { kind } = values;
  if (seed === undefined || runs === undefined || (kind !== undefined && !isKind(kind))) {
    console.error(usage);
    return 2;
  }
  const began = performance.now();
  const failing = await firstFailing(seed, runs, kind);
  if (failing !== undefined) {
    console.log(await reportOf(playOf(failing, kind)));
    return 1;
  }
  if (runs === 1) {
    const { trace } = await simulate(playOf(seed, kind), {}, true);
    console.log(trace.join('\n'));
  }
  const seconds = (performance.now() - began) / 1_000;
  const last = seed + runs - 1;
  console.log(`seeds ${seed} to ${last}: all is well (${(runs / seconds).toFixed(0)} a second)`);
  return 0;
}

/** undefined where something was given that is not taken. */
function given() {
  const options = {
    seed: { type: 'string' },
    runs: { type: 'string' },
    kind: { type: 'string' },
  } as const;
  try {
    return parseArgs({ options }).values;
  } catch {
    return undefined;
  }
}

function wholeNumber(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

process.exitCode = await main();
