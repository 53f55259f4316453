/**
 * `npm run bench:console`: how soon the console answers a hand when 10,000 SKUs are listed.
 *
 * Milliseconds from an input to the next picture that shows its effect, taken in the page itself:
 * the event's own time stamp, and the frame after the change. What the service takes for its answer
 * is told apart, where an input waits for one.
 */
import type { Page } from 'playwright-core';
import { helped } from '../help.ts';
import { desk } from './chromium.ts';
import { scrollToTheEnd } from './long-list.ts';
import { writeManySkus } from './many-skus.ts';
import type { ConsoleSite } from './site.ts';
import { onSite, visit } from './site.ts';

const listed = 10_000;
const targetMs = 100;
const usage = 'npm run bench:console: measures the console with 10,000 SKUs listed, in Chromium';

interface Figure {
  readonly what: string;
  readonly ms: readonly number[];
}

/** Keeps, for each input, how long it took until the frame after it was drawn. */
const watch = `
  window.pictures = [];
  for (const kind of ['keydown', 'click', 'scroll', 'wheel']) {
    document.addEventListener(kind, (event) => {
      const began = event.timeStamp;
      requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => window.pictures.push({ kind, ms: performance.now() - began });
        channel.port2.postMessage(0);
      });
    }, { capture: true, passive: true });
  }`;

async function pictures(page: Page, what: string, kind: string): Promise<Figure> {
  const taken = await page.evaluate<readonly { readonly kind: string; readonly ms: number }[]>(
    'window.pictures.splice(0)',
  );
  return { what, ms: taken.filter((one) => one.kind === kind).map(({ ms }) => ms) };
}

async function scrolled(page: Page): Promise<Figure> {
  await page.getByRole('region', { name: 'SKUs' }).hover();
  await page.evaluate('window.pictures.splice(0)');
  for (let turn = 0; turn < 30; turn += 1) {
    await page.mouse.wheel(0, turn % 2 === 0 ? -50_000 : 30_000);
    await page.waitForTimeout(50);
  }
  return pictures(page, 'scroll, to the next picture', 'scroll');
}

async function typed(page: Page): Promise<Figure> {
  await page.getByLabel('Search').focus();
  await page.evaluate('window.pictures.splice(0)');
  await page.keyboard.type('MANY-0091', { delay: 60 });
  return pictures(page, 'a key in the search, to the next picture', 'keydown');
}

async function found(page: Page): Promise<Figure> {
  const ms: number[] = [];
  for (const digit of ['0', '1', '2', '3', '4']) {
    const began = performance.now();
    await page.keyboard.type(digit);
    const link = page.getByRole('link', { name: `MANY-0091${digit}0`, exact: true });
    await link.waitFor();
    ms.push(performance.now() - began);
    await page.keyboard.press('Backspace');
  }
  return { what: 'a key in the search, to what the service found', ms };
}

async function opened(page: Page): Promise<readonly Figure[]> {
  const toPicture: number[] = [];
  const toSku: number[] = [];
  for (let turn = 0; turn < 5; turn += 1) {
    const link = page.getByRole('link', { name: `MANY-00910${turn}`, exact: true });
    await link.waitFor();
    await page.evaluate('window.pictures.splice(0)');
    const began = performance.now();
    await link.click();
    await page.getByRole('heading', { name: `MANY-00910${turn}` }).waitFor();
    toSku.push(performance.now() - began);
    toPicture.push(...(await pictures(page, '', 'click')).ms);
    await page.getByRole('link', { name: '← SKUs' }).click();
    await page.getByLabel('Search').fill('MANY-0091');
  }
  return [
    { what: 'open a SKU, to the next picture', ms: toPicture },
    { what: 'open a SKU, to its levels from the service', ms: toSku },
  ];
}

async function measure(site: ConsoleSite): Promise<readonly Figure[]> {
  await writeManySkus(site.db, listed);
  const page = await visit(site, { ...desk, serviceWorkers: 'block' }, '/skus', site.adminKey);
  await scrollToTheEnd(page, listed);
  await page.evaluate(watch);
  return [await scrolled(page), await typed(page), await found(page), ...(await opened(page))];
}

function quantile(ms: readonly number[], part: number): number {
  const sorted = ms.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

if (!helped(usage)) {
  const figures = await onSite(measure);
  console.log(
    `With ${listed.toLocaleString('en-US')} SKUs listed, ms (target: under ${targetMs}):`,
  );
  for (const { what, ms } of figures) {
    const [middle, worst] = [quantile(ms, 0.5).toFixed(0), quantile(ms, 1).toFixed(0)];
    console.log(`  ${what}: median ${middle}, worst ${worst}, of ${ms.length}`);
  }
}
