import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApiDocument } from '../../src/http/openapi/document.ts';
import type { StubService } from './stub-service.ts';
import { startStub, stubTable } from './stub-service.ts';

let stub: StubService;
beforeAll(async () => {
  stub = await startStub();
});
afterAll(() => stub.http.stop());

const withoutKey = (path: string) => fetch(stub.client.url + path);

describe('the document over HTTP', () => {
  it('is served without a key', async () => {
    const response = await withoutKey('/openapi.json');
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toEqual(JSON.parse(JSON.stringify(openApiDocument(stubTable()))));
  });

  it('is shown by a page whose parts are all served from here', async () => {
    const response = await withoutKey('/docs');
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const html = await response.text();
    expect(html).not.toMatch(/https?:|"\/\//);
    const parts = Array.from(html.matchAll(/(?:src|href)="([^"]*)"/g), ([, part = '']) => part);
    expect(parts).toHaveLength(4);
    for (const part of parts) {
      const served = await withoutKey(part);
      expect([part, served.status]).toEqual([part, 200]);
      const bytes = (await served.arrayBuffer()).byteLength;
      expect(bytes).toBeGreaterThan(50);
    }
  });

  it('lets the page load nothing from elsewhere', async () => {
    const policy = (await withoutKey('/docs')).headers.get('content-security-policy') ?? '';
    const sources = policy.split('; ').flatMap((directive) => directive.split(' ').slice(1));
    expect(policy).toContain("default-src 'none'");
    expect(new Set(sources)).toEqual(new Set(["'none'", "'self'", "'unsafe-inline'", 'data:']));
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
  });

  it('is found with a slash at the end as well', async () => {
    const response = await fetch(`${stub.client.url}/docs/`, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([301, '/docs']);
  });

  it.each(['/docs/package.json', '/docs/index.html'])(
    'hands out nothing else of the package: %s',
    async (path) => {
      expect((await withoutKey(path)).status).toBe(404);
    },
  );
});
