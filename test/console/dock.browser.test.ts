/** The dock's week: slots are made, held, confirmed and cancelled, by hand and by keyboard. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { hasBrowser, phone, seriousFaults, signedIn, useBrowser } from '../support/browser.ts';
import { arrived, roleKey } from '../support/console-visit.ts';
import { freshKey } from '../support/http-client.ts';
import { useService } from '../support/service.ts';

const opened = z.object({ slot: z.string() });
const available = z.array(z.object({ slot: z.string(), remaining: z.number() }));

describe.skipIf(!hasBrowser)('the dock', () => {
  const service = useService();
  const browser = useBrowser();
  beforeAll(() => service.client.put('/v1/locations/DOCK-1', { warehouse: 'DOCKED' }));

  /** A day of next week, so that the slot is ahead whatever day it is. */
  function nextWeek(hour: number): Date {
    const now = new Date();
    return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 7, hour);
  }

  async function slotAt(hour: number, capacity: number): Promise<string> {
    const body = {
      warehouse: 'DOCKED',
      startsAt: nextWeek(hour).toISOString(),
      endsAt: nextWeek(hour + 1).toISOString(),
      capacity,
    };
    const sent = { body, key: freshKey() };
    return opened.parse((await service.client.send('POST', '/v1/dock/slots', sent)).body).slot;
  }

  async function remaining(slot: string): Promise<number | undefined> {
    const { body } = await service.client.get('/v1/dock/slots?warehouse=DOCKED&limit=200');
    const { items } = z.object({ items: available }).parse(body);
    return items.find((one) => one.slot === slot)?.remaining;
  }

  const typed = (hour: number): string => {
    const at = nextWeek(hour);
    const day = [at.getFullYear(), at.getMonth() + 1, at.getDate()]
      .map((part) => String(part).padStart(2, '0'))
      .join('-');
    return `${day}T${String(hour).padStart(2, '0')}:00:00`;
  };

  async function toNextWeek(page: Page): Promise<void> {
    await page.getByRole('link', { name: 'Dock' }).click();
    await page.getByLabel('Warehouse').selectOption('DOCKED');
    await page.getByRole('button', { name: 'Week after' }).click();
  }

  it('opens a slot, holds places in it for an order, confirms them and cancels them', async () => {
    await service.client.put('/v1/skus/DOCKED', { description: 'Comes by lorry' });
    await service.client.send('POST', '/v1/purchase-orders', {
      body: { number: 'PO-D', supplier: 'Acme', lines: [{ line: 1, sku: 'DOCKED', ordered: 1 }] },
      key: freshKey(),
    });
    const page = await arrived(await browser.context(), service.client, 'back_office');
    await toNextWeek(page);
    await page.getByLabel('Begins').fill(typed(6));
    await page.getByLabel('Ends').fill(typed(7));
    await page.getByLabel('Places in all').fill('3');
    await page.getByRole('button', { name: 'Make the slot' }).click();
    await page.getByRole('button', { name: '3 of 3 free' }).click();
    await page.getByLabel('Places', { exact: true }).fill('2');
    await page.getByLabel('Purchase order').fill('PO-D');
    await page.getByRole('button', { name: 'Hold', exact: true }).click();
    await page.getByText(/Held, 2 places, PO-D, until/).waitFor();
    await page.getByRole('button', { name: '1 of 3 free' }).waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Hold', exact: true }).click();
    await page.getByRole('alert').waitFor();
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Confirmed, 2 places, PO-D').waitFor();
    await page.reload();
    await page.getByText('Confirmed, 2 places, PO-D').waitFor();
    await page.getByRole('button', { name: 'Cancel the appointment' }).click();
    await page.getByText('Cancelled, 2 places, PO-D').waitFor();
    await page.getByRole('button', { name: 'Week after' }).click();
    await page.getByRole('button', { name: '3 of 3 free' }).waitFor();
  });

  it('is used with a keyboard alone', async () => {
    const slot = await slotAt(9, 5);
    const page = await arrived(await browser.context(), service.client, 'back_office');
    await toNextWeek(page);
    await page.getByRole('button', { name: '5 of 5 free' }).focus();
    await page.keyboard.press('Enter');
    // Its heading has the focus then, as soon as it is there; the next stop is how many places.
    await page.locator('h2:focus, h3:focus').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type('4');
    await page.keyboard.press('Enter');
    await page.getByText(/Held, 4 places/).waitFor();
    expect(await remaining(slot)).toBe(1);
  });

  it('fits on a narrow phone, and shows an auditor what they cannot change', async () => {
    await slotAt(12, 7);
    const key = await roleKey(service.client, 'auditor');
    const narrow = { ...phone, viewport: { width: 320, height: 640 } };
    const page = await signedIn(await browser.context(narrow), `${service.client.url}/dock`, key);
    await toNextWeek(page);
    await page.getByRole('button', { name: '7 of 7 free' }).click();
    const wider = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(wider).toBeLessThanOrEqual(0);
    expect(await page.getByRole('button', { name: /^(Hold|Make the slot)$/ }).count()).toBe(0);
    expect(await seriousFaults(page)).toEqual([]);
  });

  it('finds an appointment that was made elsewhere by its id', async () => {
    const slot = await slotAt(15, 6);
    const sent = { body: {}, key: freshKey() };
    const { body } = await service.client.send('POST', `/v1/dock/slots/${slot}/holds`, sent);
    const page = await arrived(await browser.context(), service.client, 'back_office');
    await page.getByRole('link', { name: 'Dock' }).click();
    await page.getByLabel('Id of an appointment').fill(z.object({ id: z.string() }).parse(body).id);
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByText(/Held, 1 place, until/).waitFor();
    await page.getByRole('button', { name: 'Cancel the appointment' }).click();
    await page.getByText('Cancelled, 1 place').waitFor();
    expect(await remaining(slot)).toBe(6);
  });

  it('is reached from the order that an appointment is for', async () => {
    const slot = await slotAt(18, 4);
    await service.client.put('/v1/skus/DOCKED', { description: 'Comes by lorry' });
    const lines = [{ line: 1, sku: 'DOCKED', ordered: 1 }];
    const order = { body: { number: 'PO-E', supplier: 'Acme', lines }, key: freshKey() };
    await service.client.send('POST', '/v1/purchase-orders', order);
    const sent = { body: { seats: 2, purchaseOrder: 'PO-E' }, key: freshKey() };
    const { body } = await service.client.send('POST', `/v1/dock/slots/${slot}/holds`, sent);
    const { id } = z.object({ id: z.string() }).parse(body);
    const key = await roleKey(service.client, 'back_office');
    const narrow = { ...phone, viewport: { width: 320, height: 640 } };
    const url = `${service.client.url}/orders/PO-E`;
    const page = await signedIn(await browser.context(narrow), url, key);
    await page.getByRole('row').filter({ hasText: id }).getByText('Held').waitFor();
    const wider = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(wider).toBeLessThanOrEqual(0);
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByRole('button', { name: id }).click();
    await page.getByText(/Held, 2 places, PO-E, until/).waitFor();
  });
});
