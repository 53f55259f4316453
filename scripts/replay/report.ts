/** What a run ends with: the tables, and whether the stock is as the input says. */
import type { Plan } from './plan.ts';
import type { Outcome, StandingSku, Step } from './run.ts';
import { sum } from './tally.ts';
import { textTable } from './text-table.ts';

export interface Report {
  readonly text: string;
  readonly ok: boolean;
}

const listedAtMost = 20;

export function reportOf(plan: Plan, outcome: Outcome): Report {
  const wrong = outcome.standing.filter((sku) => sku.onHand !== sku.unitsInStock);
  const parts = [
    stepTable(outcome.steps),
    warehouseTable(plan, outcome.standing),
    speed(outcome),
    ...(outcome.refusals.length > 0 ? [refusalList(outcome)] : []),
    wrong.length > 0 ? mismatchTable(wrong) : everythingAgrees(outcome.standing.length),
  ];
  return { text: parts.join('\n\n'), ok: wrong.length === 0 && outcome.refusals.length === 0 };
}

function stepTable(steps: readonly Step[]): string {
  const rows = [...steps, { name: 'all', tally: sum(steps.map((step) => step.tally)) }];
  return textTable(
    ['step', 'requests', 'applied', 'replayed', 'refused', 'retries'],
    rows.map(({ name, tally }) => [
      name,
      tally.sent,
      tally.applied,
      tally.replayed,
      tally.refused,
      tally.retries,
    ]),
  );
}

/** Opened and shipped as the input has it, on hand as the service has it. */
function warehouseTable(plan: Plan, standing: readonly StandingSku[]): string {
  const openings = plan.skus.flatMap((sku) => sku.opening);
  const levels = standing.flatMap((sku) => sku.levels);
  const rows = plan.locations.map(({ location, warehouse }) => [
    warehouse,
    total(openings.filter((line) => line.location === location).map((line) => line.quantity)),
    total(plan.ships.filter((ship) => ship.location === location).map((ship) => ship.quantity)),
    total(levels.filter((level) => level.warehouse === warehouse).map((level) => level.onHand)),
  ]);
  const all = [
    'all',
    total(openings.map((line) => line.quantity)),
    total(plan.ships.map((ship) => ship.quantity)),
    total(standing.map((sku) => sku.onHand)),
  ];
  return textTable(['warehouse', 'opening stock', 'to ship', 'on hand now'], [...rows, all]);
}

function total(quantities: readonly number[]): number {
  return quantities.reduce((sofar, quantity) => sofar + quantity, 0);
}

function speed({ steps, movementSeconds }: Outcome): string {
  const movements = sum(
    steps
      .filter((step) => step.name === 'opening stock' || step.name === 'ships')
      .map((s) => s.tally),
  );
  const rate = Math.round(movements.sent / Math.max(movementSeconds, 0.001));
  const seconds = movementSeconds.toFixed(1);
  return `${shownCount(movements.sent)} movements answered in ${seconds} s: ${shownCount(rate)} movements/s.`;
}

function refusalList({ refusals }: Outcome): string {
  const listed = refusals
    .slice(0, listedAtMost)
    .map(({ key, status, code, detail }) => `  ${key}: ${status} ${code} ${detail}`.trimEnd());
  return [`Refused: ${shownCount(refusals.length)}`, ...listed, ...more(refusals.length)].join(
    '\n',
  );
}

function mismatchTable(wrong: readonly StandingSku[]): string {
  const table = textTable(
    ['SKU', 'on hand', 'unitsInStock', 'difference'],
    wrong
      .slice(0, listedAtMost)
      .map(({ sku, onHand, unitsInStock }) => [sku, onHand, unitsInStock, onHand - unitsInStock]),
  );
  const heading = `SKUs whose on hand is not their unitsInStock: ${shownCount(wrong.length)}`;
  return [heading, table, ...more(wrong.length)].join('\n');
}

function more(length: number): readonly string[] {
  return length > listedAtMost ? [`  and ${shownCount(length - listedAtMost)} more`] : [];
}

function everythingAgrees(skuCount: number): string {
  return `On hand equals unitsInStock for each of ${shownCount(skuCount)} SKUs.`;
}

function shownCount(number: number): string {
  return number.toLocaleString('en-US');
}
