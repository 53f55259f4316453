/** What a long life costs: memory after many movements, and the price of one on a long history. */
import type { Plot } from './contender.ts';
import { inProcess } from './contender.ts';
import { medianOf, rateOf, rateRatio } from './figures.ts';
import { measureSideBySide } from './measure.ts';
import type { Worker } from './processes.ts';
import { startWorker } from './processes.ts';
import type { Site } from './site.ts';
import { stockOf } from './stock.ts';
import type { Judged } from './targets.ts';
import { judged } from './targets.ts';

interface MemoryAfter {
  readonly movements: number;
  readonly rssBytes: number;
  readonly heapUsedBytes: number;
}

export interface EnduranceResult {
  readonly memory: readonly MemoryAfter[];
  readonly targets: readonly Judged[];
  readonly text: string;
}

/** Enough to keep the hot SKU's lane full and the others warm. */
const clients = 64;
const clientsOfCost = 16;
const movementsBetweenNews = 50_000;

/** One SKU takes every movement, so that its own history is the longest there is. */
export async function measureEndurance(site: Site): Promise<EnduranceResult> {
  const long = site.plot('path', 'path_long');
  const { few, many } = site.settings.endurance;
  const worker = await startWorker(long.spec);
  const memory: MemoryAfter[] = [];
  try {
    let done = 0;
    for (const movements of [few, many]) {
      await grow(site, long, worker, { from: done, to: movements });
      done = movements;
      memory.push({ movements, ...(await worker.memory()) });
    }
  } finally {
    await worker.stop();
  }
  const cost = await costRatio(site, long);
  await site.audit();
  return resultOf(memory, cost);
}

async function grow(
  site: Site,
  { ground }: Plot,
  worker: Worker,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  const { manySkus } = site.settings;
  const stock = stockOf('one', manySkus);
  await ground.ready(stock);
  for (let done = from; done < to; done += movementsBetweenNews) {
    const movements = Math.min(movementsBetweenNews, to - done);
    const load = { clients, seed: done, amount: { movements } };
    const { result } = await worker.run({ stock: stock.name, manySkus, load });
    ground.credit(stock, result.tallies);
    await ground.check(stock);
    site.pace.progress(`endurance: ${done + movements} of ${to} movements`);
  }
}

/** The cost of a movement on the long history by that on one that has just filled its window. */
async function costRatio(site: Site, long: Plot): Promise<number | undefined> {
  const short = site.plot('path', 'path_short');
  const contenders = [await inProcess(short), await inProcess(long)];
  try {
    const stock = stockOf('one', site.settings.manySkus);
    const cells = contenders.map((contender) => ({ contender, stock, clients: clientsOfCost }));
    const [onShort, onLong] = await measureSideBySide(cells, site.pace);
    for (const row of [onShort, onLong]) {
      const rate = row && medianOf(row, rateOf);
      site.pace.progress(`endurance: ${Math.round(rate ?? 0)} movements/s`);
    }
    return rateRatio(onShort, onLong);
  } finally {
    await Promise.all(contenders.map((contender) => contender.stop()));
  }
}

function resultOf(memory: readonly MemoryAfter[], cost: number | undefined): EnduranceResult {
  const [early, late] = memory;
  const ratio = early && late && late.rssBytes / early.rssBytes;
  const within = { atMost: 1.1 };
  return {
    memory,
    targets: [
      judged('6a  one SKU: memory after many movements / after few', within, ratio),
      judged('6b  one SKU: cost of a movement on a long history / on a short', within, cost),
    ],
    text: memory
      .map(
        ({ movements, rssBytes, heapUsedBytes }) =>
          `after ${movements.toLocaleString('en-US')} movements: ${megabytes(rssBytes)} MB resident, ` +
          `${megabytes(heapUsedBytes)} MB of heap, garbage collected`,
      )
      .join('\n'),
  };
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1);
}
