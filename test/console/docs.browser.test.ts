import { describe, expect, it } from 'vitest';
import { hasBrowser, useBrowser } from '../support/browser.ts';
import { useService } from '../support/service.ts';

describe.skipIf(!hasBrowser)('the page that shows the document', () => {
  const service = useService();
  const browser = useBrowser();

  it('shows the operations, asks no other host and breaks no rule of its own', async () => {
    const page = await (await browser.context()).newPage();
    const asked: string[] = [];
    const complaints: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(`${service.client.url}/docs`);
    const operation = page.getByText('Move stock many times');
    await operation.waitFor();
    await operation.click();
    await page.getByRole('button', { name: 'Try it out' }).waitFor();
    const elsewhere = asked.filter(
      (url) => !url.startsWith(`${service.client.url}/`) && !url.startsWith('data:'),
    );
    expect(elsewhere).toEqual([]);
    expect(complaints).toEqual([]);
    expect(asked.some((url) => url.endsWith('/openapi.json'))).toBe(true);
  });
});
