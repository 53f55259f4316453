import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { hasBrowser, phone, seriousFaults, signedIn, useBrowser } from '../support/browser.ts';
import { arrived, offered } from '../support/console-visit.ts';
import { freshKey } from '../support/http-client.ts';
import { useService } from '../support/service.ts';

describe.skipIf(!hasBrowser)('an auditor', () => {
  const service = useService();
  const browser = useBrowser();

  async function moved(sku: string): Promise<void> {
    const { client } = service;
    for (const location of ['A1', 'B1']) {
      await client.put(`/v1/locations/${location}`, { warehouse: 'W1' });
    }
    await client.put(`/v1/skus/${sku}`, { description: sku });
    await client.move({ type: 'receive', sku, location: 'A1', quantity: 10, note: '=1+1' });
    await client.move({ type: 'transfer', sku, from: 'A1', to: 'B1', quantity: 4 });
    await client.move({ type: 'ship', sku, location: 'B1', quantity: 1 });
  }

  it('sees what a SKU went through, filters it, and verifies it', async () => {
    await moved('AUDITED');
    await service.client.send('POST', '/v1/skus/AUDITED/reservations', {
      body: { location: 'A1', quantity: 2, ttlSeconds: null },
      key: freshKey(),
    });
    const page = await arrived(await browser.context(), service.client, 'auditor');
    expect(await offered(page)).toEqual([
      'SKUs',
      'Locations',
      'Orders',
      'Counts',
      'Dock',
      'Low stock',
      'Movements',
    ]);
    expect(await page.getByRole('link', { name: 'New SKU' }).count()).toBe(0);
    await page.getByRole('link', { name: 'AUDITED' }).click();
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByText('2 promised at A1').waitFor();
    await page.locator('canvas').waitFor();
    await page.getByText('B1 -1 → 3').waitFor();
    await page.getByText('=1+1').waitFor();
    await page.getByRole('combobox', { name: 'Type' }).selectOption('transfer');
    await page.getByText('B1 -1 → 3').waitFor({ state: 'hidden' });
    await page.getByText('A1 -4 → 6; B1 +4 → 4').waitFor();
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText('The levels follow from the history.').waitFor();
    await page.getByLabel('Levels at an instant').fill('2030-01-01T00:00:00');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByRole('cell', { name: '6', exact: true }).waitFor();
    expect(await seriousFaults(page)).toEqual([]);
  });

  it('shows times in the viewer’s zone, and the instant in UTC on hover', async () => {
    await moved('TIMED');
    const context = await browser.context({ timezoneId: 'Asia/Tokyo', locale: 'en-GB' });
    const address = `${service.client.url}/skus/TIMED/history`;
    const page = await signedIn(context, address, service.secret);
    const time = page.locator('time').first();
    const instant = (await time.getAttribute('title')) ?? '';
    expect(instant).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const inTokyo = new Date(instant).toLocaleTimeString('en-GB', { timeZone: 'Asia/Tokyo' });
    expect(await time.textContent()).toContain(inTokyo);
  });

  it('exports what matches', async () => {
    await moved('EXPORTED');
    const address = `${service.client.url}/movements`;
    const page = await signedIn(await browser.context(phone), address, service.secret);
    await page.getByLabel('SKU').fill('EXPORTED');
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export as CSV' }).click();
    // The newest 15 seconds are not in an export yet; its head is.
    const exported = await readFile(await (await downloading).path(), 'utf8');
    expect(exported.split(/\r?\n/)[0]).toContain('ordinal');
    expect(await seriousFaults(page)).toEqual([]);
  });
});
