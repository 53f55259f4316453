import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser, seriousFaults, signedIn, useBrowser } from '../support/browser.ts';
import { arrived, marked, offered, roleKey } from '../support/console-visit.ts';
import { freshKey } from '../support/http-client.ts';
import { scrollToTheEnd } from '../../scripts/console/long-list.ts';
import { writeManySkus } from '../../scripts/console/many-skus.ts';
import { useService } from '../support/service.ts';

describe.skipIf(!hasBrowser)('the back office', () => {
  const service = useService();
  const browser = useBrowser();

  const at = async (path: string): Promise<Page> =>
    signedIn(await browser.context(), `${service.client.url}${path}`, service.secret);

  async function stocked(sku: string, quantity = 10): Promise<void> {
    const { client } = service;
    await client.put('/v1/locations/A1', { warehouse: 'W1' });
    await client.put(`/v1/skus/${sku}`, { description: sku });
    await client.move({ type: 'receive', sku, location: 'A1', quantity });
  }

  it('makes a location and a SKU, and changes the SKU', async () => {
    const page = await arrived(await browser.context(), service.client, 'back_office');
    expect(await offered(page)).toEqual([
      'Scan',
      'SKUs',
      'Locations',
      'Orders',
      'Counts',
      'Dock',
      'Low stock',
      'Movements',
    ]);
    await page.getByRole('link', { name: 'Locations' }).click();
    await page.getByRole('button', { name: 'New location' }).click();
    await page.getByLabel('Location').fill('NEW-1');
    await page.getByLabel('Warehouse').nth(1).fill('W9');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: 'NEW-1', exact: true }).waitFor();
    await page.getByRole('link', { name: 'SKUs' }).click();
    await page.getByRole('link', { name: 'New SKU' }).click();
    await page.getByLabel('SKU').fill('MADE/1');
    await page.getByLabel('Description').fill('Made by clicking');
    await page.getByLabel('Packs').fill('case=12');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'MADE/1' }).waitFor();
    expect(await page.title()).toBe('MADE/1 · Stockroom');
    expect(await marked(page)).toBe('SKUs');
    await page.getByLabel('Reorder point').fill('5');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect
      .poll(async () => (await service.client.get('/v1/skus/MADE%2F1')).body)
      .toMatchObject({ reorderPoint: 5, packs: [{ unit: 'case', contains: 12 }] });
    await page.getByRole('link', { name: 'Low stock' }).click();
    await page.getByRole('link', { name: 'MADE/1' }).waitFor();
    expect(await seriousFaults(page)).toEqual([]);
  });

  it('orders, receives all that remains, and explains what would be too much', async () => {
    await stocked('ORDERED');
    const page = await arrived(await browser.context(), service.client, 'back_office');
    await page.getByRole('link', { name: 'Orders' }).click();
    await page.getByRole('link', { name: 'New purchase order' }).click();
    await page.getByLabel('Number').fill('PO-CLICK');
    await page.getByLabel('Supplier').fill('Acme');
    await page.getByLabel('Lines').fill('ORDERED,12\n');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'PO-CLICK, Acme' }).waitFor();
    await page.getByLabel('Received at').selectOption('A1');
    await page.getByLabel('1: ORDERED').fill('13');
    await page.getByRole('button', { name: 'Receive', exact: true }).click();
    await page.getByText('at most 12 more may come in').waitFor();
    await page.getByRole('button', { name: 'All that remains' }).click();
    await page.getByRole('button', { name: 'Receive', exact: true }).click();
    await page.getByText('12 × ORDERED → A1').waitFor();
    await page.getByText('Status: complete').waitFor();
    expect(await page.getByRole('columnheader').allTextContents()).toEqual(
      expect.arrayContaining(['When', 'Who', 'Received']),
    );
    expect(await seriousFaults(page)).toEqual([]);
    const { body } = await service.client.get('/v1/skus/ORDERED');
    expect(body).toMatchObject({ totals: { onHand: 22 } });
  });

  it('opens a count, and closes it after the variances were shown', async () => {
    await stocked('COUNTED');
    const page = await arrived(await browser.context(), service.client, 'back_office');
    await page.getByRole('link', { name: 'Counts' }).click();
    await page.getByLabel('Locations').fill('A1');
    await page.getByLabel('SKUs').fill('COUNTED');
    await page.getByRole('button', { name: 'Open a count' }).click();
    await page.getByText('0 of 1 counted').waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    // What comes in while it is counted stands beside what was expected when it began.
    await service.client.move({ type: 'receive', sku: 'COUNTED', location: 'A1', quantity: 2 });
    await service.client.send('PUT', `/v1/stock-counts/${id}/lines`, {
      body: { sku: 'COUNTED', location: 'A1', counted: 8 },
      key: freshKey(),
    });
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('1 of 1 counted').waitFor();
    await page.getByRole('row', { name: 'COUNTED A1 10 12 8 -4' }).waitFor();
    await page.getByRole('button', { name: 'Close: show the variances first' }).click();
    await page.getByRole('heading', { name: 'These adjustments will be posted' }).waitFor();
    await page.getByRole('row', { name: 'COUNTED A1 12 8 -4' }).first().waitFor();
    await page.getByRole('button', { name: 'Post and close' }).click();
    await page.getByText('Status: closed').waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    const { body } = await service.client.get('/v1/skus/COUNTED');
    expect(body).toMatchObject({ totals: { onHand: 8 } });
  });

  const head = 'sku;description;packs;barcodes;reorderPoint';

  it('imports nothing of a file with one bad line, and says which it is', async () => {
    const page = await at('/skus');
    const text = `\uFEFF${head}\r\nIMP-1;One;case=12;;5\r\nIMP-1;Twice;;;\r\nIMP-2;Two;case=one;;\r\n`;
    await page.getByLabel('CSV file').setInputFiles(csvFile(text));
    await page.getByText('Line 3: IMP-1 stands on line 2 already.').waitFor();
    await page
      .getByText('Line 4: “case=one” is no pack')
      .or(page.getByText('Line 4:'))
      .first()
      .waitFor();
    expect((await service.client.get('/v1/skus/IMP-1')).status).toBe(404);
  });

  it('imports a sound file, shows its texts as they are, and exports what imports again unchanged', async () => {
    const page = await at('/skus');
    const wild = '<img src=x onerror="document.title=1">';
    const text = `\uFEFF${head}\r\nEXP-1;"${wild.replaceAll('"', '""')}";case=12;5901234123457=case;5\r\nEXP-2;=1+1;;;\r\n`;
    await page.getByLabel('CSV file').setInputFiles(csvFile(text));
    await page.getByText(/The file is sound: 2 new/).waitFor();
    await page.getByRole('button', { name: 'Write them' }).click();
    await page.getByText('2 written.').waitFor();
    await page.getByText(wild).waitFor();
    await page.getByText('=1+1').waitFor();
    expect(await page.title()).toBe('SKUs · Stockroom');
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export as CSV' }).click();
    const exported = await readFile(await (await downloading).path(), 'utf8');
    expect(exported).toContain(`'=1+1`);
    await page.getByLabel('CSV file').setInputFiles(csvFile(exported));
    await page.getByText(/The file is sound: 0 new, 0 changed/).waitFor();
    expect(await page.getByRole('button', { name: 'Write them' }).count()).toBe(0);
  });

  it('finishes an import that the page died in with the same file', async () => {
    const page = await at('/skus');
    const rows = Array.from({ length: 20 }, (_, n) => `DIE-${n},Dies ${n}`);
    const file = csvFile(`sku,description\n${rows.join('\n')}\n`);
    let written = 0;
    await page.route('**/v1/skus/DIE-*', (route) => {
      written += 1;
      return written > 7 ? route.abort() : route.continue();
    });
    await page.getByLabel('CSV file').setInputFiles(file);
    await page.getByRole('button', { name: 'Write them' }).click();
    await page.getByText('Stopped at DIE-7').waitFor();
    await page.unroute('**/v1/skus/DIE-*');
    await page.reload();
    await page.getByLabel('CSV file').setInputFiles(file);
    await page.getByText('The file is sound: 13 new, 0 changed, 7 as they are.').waitFor();
    await page.getByRole('button', { name: 'Write them' }).click();
    await page.getByText('13 written.').waitFor();
    expect((await service.client.get('/v1/skus/DIE-19')).status).toBe(200);
  });

  it('finds a way back from a SKU that is not there', async () => {
    const page = await at('/skus/NOPE');
    await page.getByRole('alert').waitFor();
    await page.getByRole('link', { name: '← SKUs' }).click();
    await page.getByRole('heading', { name: 'SKUs', exact: true }).waitFor();
  });

  it('is told, with a key of one warehouse, what its low stock is compared with', async () => {
    const key = await roleKey(service.client, 'back_office', ['W1']);
    const page = await signedIn(await browser.context(), `${service.client.url}/low-stock`, key);
    await page.getByText('Your key sees W1 alone').waitFor();
  });

  it('keeps few rows in the page however long the list', async () => {
    await writeManySkus(service.database.db, 10_000);
    const page = await at('/skus');
    await page.getByLabel('Search').fill('MANY-');
    const table = page.getByRole('region', { name: 'SKUs' });
    await table.locator('table[aria-rowcount="201"]').waitFor();
    await scrollToTheEnd(page, 10_000);
    await page.getByRole('link', { name: 'MANY-009999', exact: true }).waitFor();
    expect(await table.locator('tbody tr').count()).toBeLessThan(40);
    await table.hover();
    await page.mouse.wheel(0, -1_000_000);
    await page.getByRole('link', { name: 'MANY-000000', exact: true }).waitFor();
    expect(await table.locator('tbody tr').count()).toBeLessThan(40);
  });
});

function csvFile(text: string) {
  return { name: 'skus.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
}
