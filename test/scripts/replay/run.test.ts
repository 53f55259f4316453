import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Plan } from '../../../scripts/replay/plan.ts';
import { planReplay } from '../../../scripts/replay/plan.ts';
import { readFolder } from '../../../scripts/replay/read-folder.ts';
import { reportOf } from '../../../scripts/replay/report.ts';
import { requestsOf } from '../../../scripts/replay/requests.ts';
import { parseRows } from '../../../scripts/replay/rows.ts';
import type { Outcome } from '../../../scripts/replay/run.ts';
import { requestCount, runReplay } from '../../../scripts/replay/run.ts';
import { sum } from '../../../scripts/replay/tally.ts';
import { ServiceDouble } from './service-double.ts';

const sample = fileURLToPath(new URL('../../../scripts/demo/sample', import.meta.url));
const { signal } = new AbortController();
const nothing = { advance: () => undefined };

async function samplePlan(): Promise<Plan> {
  const rows = parseRows(await readFolder(sample));
  if (rows.kind === 'problems') throw new Error(rows.problems[0]?.message);
  const planned = planReplay(rows.value, 'DEMO');
  if (planned.kind === 'problems') throw new Error(planned.problems[0]?.message);
  return planned.value;
}

const totalOf = (outcome: Outcome) => sum(outcome.steps.map((step) => step.tally));

describe('a run of the sample', () => {
  let plan: Plan;
  let service: ServiceDouble;
  const run = () => runReplay(requestsOf(plan), service, nothing, signal);

  beforeEach(async () => {
    plan = await samplePlan();
    service = new ServiceDouble();
  });

  it('leaves unitsInStock of every product', async () => {
    const outcome = await run();
    expect(totalOf(outcome)).toMatchObject({ replayed: 0, refused: 0 });
    const report = reportOf(plan, outcome);
    expect(report.ok).toBe(true);
    expect(report.text).toContain('On hand equals unitsInStock for each of 8 SKUs.');
  });

  it('changes nothing the second time and reports everything as replayed', async () => {
    await run();
    const before = structuredClone(service.levels);
    const again = await run();
    const { sent, applied, replayed } = totalOf(again);
    expect({ applied, replayed }).toEqual({ applied: 0, replayed: sent });
    expect(service.levels).toEqual(before);
    expect(reportOf(plan, again).ok).toBe(true);
  });

  it('goes on where an interrupted one stopped', async () => {
    const requests = requestsOf(plan);
    await runReplay({ ...requests, ships: requests.ships.slice(0, 9) }, service, nothing, signal);
    const rest = await run();
    expect(rest.steps.at(-1)?.tally).toMatchObject({
      applied: plan.ships.length - 9,
      replayed: 9,
    });
    expect(reportOf(plan, rest).ok).toBe(true);
  });

  it('fails on a level that is not as the input says, and names the SKU', async () => {
    await run();
    service.levels.get('DEMO-0003')?.set('DEMO-NORTH-01', 41);
    const report = reportOf(plan, await run());
    expect(report.ok).toBe(false);
    expect(report.text).toMatch(/^DEMO-0003 +121 +120 +1$/m);
    expect(report.text).not.toContain('DEMO-0004');
  });

  it('fails on a refusal, and says which request it was', async () => {
    const short = { ...plan, skus: plan.skus.map((sku) => ({ ...sku, opening: [] })) };
    const report = reportOf(short, await runReplay(requestsOf(short), service, nothing, signal));
    expect(report.ok).toBe(false);
    expect(report.text).toMatch(/replay:ship:5001:1:1:\w+: 409 insufficient-stock/);
  });

  it('sends nothing where another input has stocked the SKUs', async () => {
    await run();
    const before = structuredClone([...service.keys]);
    const edited = plan.skus.map((planned) =>
      planned.sku === 'DEMO-0004'
        ? { ...planned, opening: [{ location: 'DEMO-NORTH-01', quantity: 1_000 }] }
        : planned,
    );
    const other = runReplay(requestsOf({ ...plan, skus: edited }), service, nothing, signal);
    await expect(other).rejects.toThrow(/^DEMO-0004: this folder/);
    expect([...service.keys]).toEqual(before);
  });

  it('advances the bar to its end', async () => {
    let advanced = 0;
    const bar = { advance: () => (advanced += 1) };
    const requests = requestsOf(plan);
    await runReplay(requests, service, bar, signal);
    expect(advanced).toBe(requestCount(requests));
  });
});
