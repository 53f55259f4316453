/**
 * One simulation: a seed's scenario, played in a storm of faults and then in calm weather, where
 * every client has to get its answer and every saga has to end. Then everything that was
 * acknowledged is asked for once more.
 */
import { nextStep } from '../../src/domain/receipt.ts';
import type { Clients } from './clients.ts';
import { startClients } from './clients.ts';
import { faultsOf } from './check.ts';
import type { Database } from './database.ts';
import { openDatabase } from './database.ts';
import type { Mutation, Process } from './process.ts';
import { startProcess } from './process.ts';
import { randomFrom } from './random.ts';
import type { Asked, Kind, Scenario } from './scenario.ts';
import { scenarioOf } from './scenario.ts';
import type { Fates, Stage, Weather } from './stage.ts';
import { setStage } from './stage.ts';

export interface Outcome {
  /** What is wrong; empty when all is well. */
  readonly faults: readonly string[];
  readonly steps: number;
  /** How many calls were made until every client had its answer and every saga its end. */
  readonly calls: number;
  readonly trace: readonly string[];
}

/** What is played: a scenario, and the seed that orders what happens in it. */
export interface Play {
  readonly seed: number;
  readonly scenario: Scenario;
  /** What becomes of single calls, in the place of chance. */
  readonly fates?: Fates;
}

export function playOf(seed: number, kind?: Kind): Play {
  return { seed, scenario: scenarioOf(randomFrom(seed), kind) };
}

const stormLasts = 60_000;
const calmLasts = 120_000;

export async function simulate(
  { seed, scenario, fates }: Play,
  mutation: Mutation = {},
  isTraced = false,
): Promise<Outcome> {
  const trace: string[] = [];
  const defects: string[] = [];
  const stage = setStage(randomFrom(~seed), isTraced ? (line) => trace.push(line) : undefined);
  const report = (defect: unknown): void => {
    defects.push(`a defect: ${defect instanceof Error ? (defect.stack ?? '') : String(defect)}`);
  };
  const { database, clients, isIdle } = arrange(stage, scenario, mutation, report);
  const { faults, faultRate, leaps } = scenario;
  const isOver = (): boolean => clients.areDone() && isIdle();
  const isFinal = (): boolean => defects.length > 0 || isOver();
  const storm = { faults, faultRate, leaps, ...(fates === undefined ? {} : { fates }) };
  await stage.run(isFinal, storm, stormLasts);
  const calls = stage.calls();
  stage.note(() => 'the storm is over');
  const inTime = await stage.run(isFinal, calm(), calmLasts);
  if (inTime && defects.length === 0) {
    stage.note(() => 'whatever was acknowledged is asked for again');
    clients.askAgain();
  }
  const again = inTime && (await stage.run(isFinal, calm(), calmLasts));
  const late = again || defects.length > 0 ? [] : ['9: somebody got no answer in time'];
  return {
    faults: [...defects, ...late, ...faultsOf(database, clients)],
    steps: stage.steps(),
    calls,
    trace,
  };
}

function calm(): Weather {
  return { faults: 0, faultRate: 0, leaps: 0 };
}

const startsSaga: ReadonlySet<Asked['kind']> = new Set(['receive', 'open-count']);

/** The database, its processes, which are born again when they die, and the clients. */
function arrange(
  stage: Stage,
  scenario: Scenario,
  mutation: Mutation,
  report: (defect: unknown) => void,
): { readonly database: Database; readonly clients: Clients; readonly isIdle: () => boolean } {
  const processes: Process[] = [];
  const pick = (): Process => {
    const process = processes[stage.random.below(processes.length)];
    if (process === undefined) throw new RangeError('there is no process');
    return process;
  };
  const ring = (alarm: string): void => {
    void pick()
      .ring(alarm)
      .then(({ kind }) => {
        if (kind === 'unknown')
          stage.timer().after(1_000, () => {
            ring(alarm);
          });
      }, report);
  };
  const database = openDatabase(stage, scenario, ring);
  const stores = mutation.stores?.(database) ?? database.stores;
  const isWatching = scenario.plots.some(({ asked }) => startsSaga.has(asked.kind));
  const parts = { database, stores, mutation, isWatching, report };
  const start = (index: number, generation: number): void => {
    const life = stage.born(`P${index + 1}${generation === 1 ? '' : `.${generation}`}`);
    processes[index] = startProcess(stage, life, parts);
    life.onDeath(() => {
      start(index, generation + 1);
    });
  };
  for (let index = 0; index < scenario.processes; index += 1) start(index, 1);
  const clients = startClients(stage, scenario.plots, pick, report);
  const isIdle = (): boolean =>
    Array.from(database.receipts.values()).every(({ record }) => nextStep(record) === undefined) &&
    Array.from(database.counts.values()).every(({ record }) => record.status !== 'closing');
  return { database, clients, isIdle };
}
