import { describe, expect, it } from 'vitest';
import { hasBrowser, phone, seriousFaults, useBrowser } from '../support/browser.ts';
import { useService } from '../support/service.ts';

describe.skipIf(!hasBrowser)('signing in', () => {
  const service = useService();
  const browser = useBrowser();

  it('refuses a key that is not valid and says what to do', async () => {
    const page = await (await browser.context()).newPage();
    await page.goto(service.client.url);
    await page.getByLabel('API key').fill('nonsense');
    await page.getByRole('button', { name: 'Sign in' }).click();
    expect(await page.getByRole('alert').textContent()).toContain('not valid');
  });

  it('can be used by everybody, on a phone as well', async () => {
    const page = await (await browser.context(phone)).newPage();
    await page.goto(service.client.url);
    await page.getByLabel('API key').fill(service.secret);
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('table').or(page.getByRole('status')).waitFor();
    expect(await seriousFaults(page)).toEqual([]);
  });

  it('opens the pages of the role, and keeps the key for the tab only', async () => {
    await service.client.put('/v1/skus/WIDGET', { description: 'A widget' });
    const context = await browser.context();
    const page = await context.newPage();
    await page.goto(service.client.url);
    await page.getByLabel('API key').fill(service.secret);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'SKUs' }).click();
    await page.getByRole('link', { name: 'WIDGET' }).waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'WIDGET' }).waitFor();
    const other = await context.newPage();
    await other.goto(service.client.url);
    await other.getByLabel('API key').waitFor();
  });
});
