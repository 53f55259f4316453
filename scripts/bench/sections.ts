/** What is set side by side: strategies in this process and over HTTP, and several processes. */
import type { Contender } from './contender.ts';
import type { Row, StrategyName } from './figures.ts';
import type { Cell } from './measure.ts';
import { measureSideBySide } from './measure.ts';
import type { Site } from './site.ts';
import { clientsOfProcesses } from './targets.ts';
import type { StockName } from './stock.ts';
import { stockOf } from './stock.ts';

/** What has no window is measured on each stock once. */
function takesPart(strategy: StrategyName, stock: StockName): boolean {
  return stock !== 'many-new' || (strategy !== 'tx' && strategy !== 'one');
}

export async function measureInProcess(site: Site): Promise<readonly Row[]> {
  const names: readonly StrategyName[] = site.hasSql
    ? ['path', 'bare', 'plain', 'one', 'tx']
    : ['path', 'bare', 'plain'];
  const contenders = await startAll(names, (name) => site.inProcess(name));
  return measureStocks(site, contenders, ['one', 'many', 'many-new']);
}

export async function measureOverHttp(site: Site): Promise<readonly Row[]> {
  const names: readonly StrategyName[] = site.hasSql ? ['path', 'one', 'tx'] : ['path'];
  // A server looks for its database as it starts, so the stock is there before it.
  for (const name of names) {
    for (const stock of ['one', 'many'] as const) {
      await site.plot(name).ground.ready(stockOf(stock, site.settings.manySkus));
    }
  }
  const contenders = await startAll(names, (name) => site.overHttp(name));
  return measureStocks(site, contenders, ['one', 'many']);
}

async function measureStocks(
  site: Site,
  contenders: readonly Contender[],
  stocks: readonly StockName[],
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  try {
    // The most clients first: compiled code is ready when one client sends its few movements.
    for (const clients of site.settings.clients.toSorted((one, other) => other - one)) {
      const cells: readonly Cell[] = stocks.flatMap((name) =>
        contenders
          .filter(({ strategy }) => takesPart(strategy, name))
          .map((contender) => ({
            contender,
            stock: stockOf(name, site.settings.manySkus),
            clients,
          })),
      );
      rows.push(...(await measureSideBySide(cells, site.pace)));
    }
    await site.audit();
  } finally {
    await stopAll(contenders);
  }
  return rows;
}

/** One SKU in three processes at once, beside one process. */
export async function measureProcesses(site: Site): Promise<readonly Row[]> {
  const stock = stockOf('one', site.settings.manySkus);
  const contenders = await startAll(['path', 'plain'] as const, (name) => site.inProcess(name, 3));
  contenders.push(await site.inProcess('path'));
  try {
    const cells = contenders.map((contender) => ({
      contender,
      stock,
      clients: clientsOfProcesses,
    }));
    const rows = await measureSideBySide(cells, site.pace);
    await site.audit();
    return rows;
  } finally {
    await stopAll(contenders);
  }
}

async function startAll<N>(
  names: readonly N[],
  startOne: (name: N) => Promise<Contender>,
): Promise<Contender[]> {
  const started: Contender[] = [];
  for (const name of names) started.push(await startOne(name));
  return started;
}

async function stopAll(contenders: readonly Contender[]): Promise<void> {
  await Promise.all(contenders.map((contender) => contender.stop()));
}
