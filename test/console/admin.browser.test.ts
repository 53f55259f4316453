import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { hasBrowser, seriousFaults, signedIn, useBrowser } from '../support/browser.ts';
import { offered } from '../support/console-visit.ts';
import { clientOf, freshKey } from '../support/http-client.ts';
import { useService } from '../support/service.ts';

const keysShown = z.object({
  items: z.array(z.object({ name: z.string(), revokedAt: z.string().optional() })),
});

describe.skipIf(!hasBrowser)('the admin', () => {
  const service = useService();
  const browser = useBrowser();

  it('makes a key that lets its holder in, and revokes it for good', async () => {
    const page = await signedIn(await browser.context(), service.client.url, service.secret);
    await page.getByRole('link', { name: 'Keys' }).click();
    await page.getByLabel('Name').fill('dock-9');
    await page.getByLabel('Role').selectOption('auditor');
    await page.getByRole('button', { name: 'Make a key' }).click();
    await page.getByText('dock-9 is made.').waitFor();
    const secret = (await page.locator('code').textContent()) ?? '';
    await page.getByRole('cell', { name: 'dock-9', exact: true }).waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    const holder = clientOf(() => service.client.url, secret);
    expect((await holder.get('/v1/session')).body).toMatchObject({ role: 'auditor' });
    const others = await signedIn(await browser.context(), service.client.url, secret);
    expect(await offered(others)).not.toContain('Keys');
    await page.getByRole('button', { name: 'Revoke dock-9' }).click();
    await page.getByRole('button', { name: 'Revoke dock-9 for good' }).click();
    await page.getByRole('cell', { name: 'Revoked' }).waitFor();
    const { body } = await service.client.get('/v1/api-keys');
    const { items } = keysShown.parse(body);
    expect(items.find(({ name }) => name === 'dock-9')?.revokedAt).toBeDefined();
  });

  it('sees what is promised of a SKU, and sets it free', async () => {
    const { client } = service;
    await client.put('/v1/locations/A1', { warehouse: 'W1' });
    await client.put('/v1/skus/HELD', { description: 'Promised' });
    await client.move({ type: 'receive', sku: 'HELD', location: 'A1', quantity: 10 });
    await client.send('POST', '/v1/skus/HELD/reservations', {
      body: { location: 'A1', quantity: 4, ttlSeconds: null },
      key: freshKey(),
    });
    const address = `${client.url}/skus/HELD`;
    const page = await signedIn(await browser.context(), address, service.secret);
    await page.getByRole('button', { name: 'Release 4, A1' }).click();
    await page.getByText('Nothing is promised to anybody.').waitFor();
    await page.getByText('4 at A1 free again').waitFor();
    expect((await client.get('/v1/skus/HELD')).body).toMatchObject({
      totals: { reserved: 0, available: 10 },
    });
    expect(await seriousFaults(page)).toEqual([]);
  });
});
