/**
 * A scanner on the floor: by clicking, by a scanner that types, without a network, and by camera.
 */
import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser, phone, signedIn, useBrowser, wedge } from '../support/browser.ts';
import { arrived, marked, offered } from '../support/console-visit.ts';
import { freshKey } from '../support/http-client.ts';
import { useService } from '../support/service.ts';

const gtin = '4006381333931';

describe.skipIf(!hasBrowser)('a scanner', () => {
  const service = useService();
  const browser = useBrowser();
  let names = 0;

  /** A SKU of its own, with stock at A1 and a case of 12. */
  async function stocked(barcode?: string): Promise<string> {
    names += 1;
    const sku = `SCAN-${names}`;
    const { client } = service;
    for (const location of ['A1', 'B1']) {
      await client.put(`/v1/locations/${location}`, { warehouse: 'W1' });
    }
    await client.put(`/v1/skus/${sku}`, {
      description: `Scanned ${names}`,
      packs: [{ unit: 'case', contains: 12 }],
      barcodes: barcode === undefined ? [] : [{ code: barcode, unit: 'case' }],
    });
    await client.move({ type: 'receive', sku, location: 'A1', quantity: 100 });
    return sku;
  }

  const opened = (context: BrowserContext): Promise<Page> =>
    signedIn(context, `${service.client.url}/scan`, service.secret);

  async function onHand(sku: string, location: string): Promise<unknown> {
    const { body } = await service.client.get(`/v1/skus/${sku}`);
    const { levels } = body as { levels: { location: string; onHand: number }[] };
    return levels.find((level) => level.location === location)?.onHand;
  }

  it('signs in, finds goods by a typed code and ships them', async () => {
    const sku = await stocked();
    const page = await arrived(await browser.context(phone), service.client, 'scanner');
    expect(await offered(page)).toEqual(['Scan', 'SKUs', 'Counts']);
    expect(await marked(page)).toBe('Scan');
    expect(await page.title()).toBe('Scan · Stockroom');
    await page.getByLabel('Scan or type a code').fill(sku);
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByText('Ship', { exact: true }).click();
    await page.getByLabel('Location').selectOption('A1');
    await page.getByLabel('Quantity').fill('7');
    await page.getByRole('button', { name: 'Ship' }).click();
    await page.getByText(`Done. Ship: 7 each × ${sku}, A1`).waitFor();
    expect(await onHand(sku, 'A1')).toBe(93);
  });

  it('counts what an open count covers, and sees nothing of what is expected when it is blind', async () => {
    const sku = await stocked();
    const body = { locations: ['A1'], skus: [sku], blind: true };
    await service.client.send('POST', '/v1/stock-counts', { body, key: freshKey() });
    const page = await arrived(await browser.context(phone), service.client, 'scanner');
    await page.getByLabel('Scan or type a code').fill(sku);
    await page.keyboard.press('Enter');
    await page.getByText('Count', { exact: true }).click();
    await page.getByLabel('Location').selectOption('A1');
    await page.getByLabel('Quantity').fill('98');
    await page.getByRole('button', { name: 'Count' }).click();
    await page.getByText(`Done. Count: 98 × ${sku}, A1`).waitFor();
    await page.getByRole('link', { name: 'Counts' }).click();
    await page.getByRole('row', { name: '1 of 1 counted' }).getByRole('link').click();
    await page.getByRole('cell', { name: '98', exact: true }).waitFor();
    expect(await page.getByRole('cell', { name: '100', exact: true }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Cancel the count' }).count()).toBe(0);
    expect(await marked(page)).toBe('Counts');
  });

  it('sees a refusal until it is dealt with', async () => {
    const sku = await stocked();
    const page = await opened(await browser.context(phone));
    await page.getByLabel('Scan or type a code').fill(sku);
    await page.keyboard.press('Enter');
    await page.getByText('Ship', { exact: true }).click();
    await page.getByLabel('Location').selectOption('A1');
    await page.getByLabel('Quantity').fill('101');
    await page.getByRole('button', { name: 'Ship' }).click();
    await page.getByText('Refused: somebody has to deal with these').waitFor();
    await page.reload();
    await page.getByText('Refused: somebody has to deal with these').waitFor();
    await page.getByRole('button', { name: 'Dealt with' }).click();
    await page.getByText('Refused: somebody has to deal with these').waitFor({ state: 'hidden' });
    expect(await onHand(sku, 'A1')).toBe(100);
  });

  it('scans with a scanner that types, wherever the focus is, GS1 and all', async () => {
    const sku = await stocked(gtin);
    const page = await opened(await browser.context(phone));
    await page.getByRole('button', { name: 'Use the camera' }).focus();
    await wedge(page, '0104006381333931172712313703');
    await page.getByRole('heading', { name: sku }).waitFor();
    expect(await page.getByLabel('Quantity').inputValue()).toBe('3');
    expect(await page.getByLabel('Unit').inputValue()).toBe('case');
    await page.getByText('expires 2027-12-31').waitFor();
    await page.getByLabel('Quantity').focus();
    await wedge(page, sku);
    await page.getByText('expires 2027-12-31').waitFor({ state: 'hidden' });
    expect(await page.getByLabel('Quantity').inputValue()).toBe('1');
  });

  it('makes 30 movements without a network, is reloaded, loses answers, and each has one effect', async () => {
    const sku = await stocked();
    const context = await browser.context(phone);
    const page = await opened(context);
    // Asked from outside: what the page itself would evaluate again, its policy forbids.
    const isControlled = () => page.evaluate('navigator.serviceWorker.controller !== null');
    await expect.poll(isControlled, { timeout: 30_000 }).toBe(true);
    // What is kept on the device has arrived once a place can be chosen.
    await page.getByLabel('Scan or type a code').fill(sku);
    await page.keyboard.press('Enter');
    await page.getByLabel('Location').selectOption('A1');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await context.setOffline(true);
    for (let n = 1; n <= 30; n += 1) {
      await page.getByLabel('Scan or type a code').fill(sku);
      await page.keyboard.press('Enter');
      await page.getByText('Ship', { exact: true }).click();
      await page.getByLabel('Location').selectOption('A1');
      await page.getByRole('button', { name: 'Ship' }).click();
      await page.locator(`[data-queued="${n}"]`).waitFor();
    }
    await page.reload();
    await page.locator('[data-queued="30"]').waitFor();
    let lost = 0;
    await page.route('**/v1/movements/batch', async (route) => {
      if (lost === 2) return route.continue();
      lost += 1;
      await route.fetch();
      return route.abort();
    });
    await context.setOffline(false);
    await page.locator('[data-queued]').waitFor({ state: 'hidden', timeout: 40_000 });
    expect(lost).toBe(2);
    expect(await onHand(sku, 'A1')).toBe(70);
    const { body } = await service.client.get(`/v1/skus/${sku}`);
    expect(body).toMatchObject({ movementCount: 31 });
  });
});
