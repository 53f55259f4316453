/**
 * The OpenAPI document and the page that shows it. The page's scripts and styles are served from
 * here: it works where no other host can be reached, and asks none.
 */
import { createRequire } from 'node:module';
import path from 'node:path';
import type { RequestHandler } from 'express';
import express from 'express';
import type { Endpoint } from './endpoint.ts';
import { openApiDocument } from './openapi/document.ts';

const require = createRequire(import.meta.url);

export const docsPath = '/docs';

/** @param described every other endpoint of the service. */
export function documentEndpoints(described: readonly Endpoint[]): readonly Endpoint[] {
  let text: string | undefined;
  const own: readonly Endpoint[] = [
    {
      method: 'GET',
      path: '/openapi.json',
      access: 'open',
      serve: () => {
        text ??= JSON.stringify(openApiDocument([...described, ...own]));
        return Promise.resolve({ kind: 'text', mediaType: 'application/json', text });
      },
    },
    {
      method: 'GET',
      path: docsPath,
      access: 'open',
      serve: () =>
        Promise.resolve({
          kind: 'text',
          mediaType: 'text/html; charset=utf-8',
          text: page,
          headers: { 'Content-Security-Policy': contentSecurityPolicy },
        }),
    },
  ];
  return own;
}

/** Swagger UI writes styles into elements, and its icons stand in its style sheet. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>Stockroom API</title>
    <link rel="icon" href="${docsPath}/favicon-32x32.png">
    <link rel="stylesheet" href="${docsPath}/swagger-ui.css">
  </head>
  <body>
    <div id="document"></div>
    <script src="${docsPath}/swagger-ui-bundle.js"></script>
    <script src="${docsPath}/show.js"></script>
  </body>
</html>
`;

/** No validator is asked: it would be another host. */
const show = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#document',
  deepLinking: true,
  docExpansion: 'list',
  validatorUrl: null,
});
`;

const shownFiles = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

/** What the page loads, and nothing else of the package. */
export function docsFiles(): RequestHandler {
  const folder = path.dirname(require.resolve('swagger-ui-dist/package.json'));
  const router = express.Router({ caseSensitive: true, strict: true });
  for (const file of shownFiles) {
    router.get(`/${file}`, (_request, response) => {
      response.sendFile(path.join(folder, file), { maxAge: '1d' });
    });
  }
  // The address as many write it; without the slash, the page itself is there.
  router.get('/', (_request, response) => {
    response.redirect(301, docsPath);
  });
  router.get('/show.js', (_request, response) => {
    response.type('text/javascript').send(show);
  });
  return router;
}
