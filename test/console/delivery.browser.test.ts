/** How the console arrives: small, under a strict policy, asking nobody else. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { hasBrowser, signedIn, useBrowser } from '../support/browser.ts';
import { useService } from '../support/service.ts';

const firstLoadLimit = 200 * 1024;

describe.skipIf(!hasBrowser)('the console', () => {
  const service = useService();
  const browser = useBrowser();

  it('loads less than 200 KiB of compressed script, and nothing from another host', async () => {
    const page = await (await browser.context({ serviceWorkers: 'block' })).newPage();
    const scripts: number[] = [];
    const hosts = new Set<string>();
    page.on('response', (response) => {
      hosts.add(new URL(response.url()).host);
      if (!response.url().endsWith('.js')) return;
      void response.body().then((body) => scripts.push(gzipSync(body).length));
    });
    await page.goto(service.client.url, { waitUntil: 'networkidle' });
    expect(Array.from(hosts)).toEqual([new URL(service.client.url).host]);
    const total = scripts.reduce((sum, size) => sum + size, 0);
    expect(total).toBeGreaterThan(0);
    expect(total).toBeLessThan(firstLoadLimit);
  });

  it('comes under a policy that lets no inline script run', async () => {
    const page = await (await browser.context()).newPage();
    const response = await page.goto(service.client.url);
    const policy = response?.headers()['content-security-policy'] ?? '';
    expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval'");
    expect(policy).not.toContain('unsafe-inline');
    await page.evaluate(
      `const script = document.createElement('script');
       script.textContent = 'window.inlineRan = true';
       document.body.append(script);`,
    );
    expect(await page.evaluate('window.inlineRan')).toBeUndefined();
  });

  it.each([
    ['a narrow phone', { width: 320, height: 640 }],
    ['twice the size', { width: 640, height: 400 }],
  ])('fits on %s', async (_what, viewport) => {
    const context = await browser.context({ viewport });
    const page = await signedIn(context, `${service.client.url}/scan`, service.secret);
    for (const path of ['/scan', '/skus', '/orders', '/counts', '/movements']) {
      await page.goto(service.client.url + path);
      await page.getByRole('heading').first().waitFor();
      const wider = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      expect(wider, path).toBeLessThanOrEqual(0);
    }
  });

  it('can be used with a keyboard alone', async () => {
    const page = await (await browser.context()).newPage();
    await page.goto(service.client.url);
    await page.keyboard.press('Tab');
    await page.keyboard.type(service.secret);
    await page.keyboard.press('Enter');
    await page.getByRole('navigation').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'SKUs', exact: true }).waitFor();
  });
});
