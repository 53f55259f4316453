/**
 * The web console's files, as built. A page of the console is whatever a browser asks for outside
 * the API; the console itself says which of its pages exist.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import express from 'express';

/** Scripts only from here, none inline; WebAssembly for the reader of barcodes. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "font-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** @returns undefined where the console has not been built. */
export function consoleFiles(folder: string): RequestHandler | undefined {
  const page = path.join(folder, 'index.html');
  if (!existsSync(page)) return undefined;
  const files = express.static(folder, {
    index: false,
    redirect: false,
    setHeaders: (response: Response, file: string) => {
      allowConsole(response);
      // Names under assets/ change with their content; everything else is asked for again.
      const isNamedByContent = path.relative(folder, file).startsWith('assets');
      const kept = isNamedByContent ? 'public, max-age=31536000, immutable' : 'no-cache';
      response.setHeader('Cache-Control', kept);
    },
  });
  return (request: Request, response: Response, next: NextFunction) => {
    if (request.path.startsWith('/v1/')) {
      next();
      return;
    }
    files(request, response, (error?: unknown) => {
      if (error !== undefined || !isForBrowser(request)) {
        next(error);
        return;
      }
      allowConsole(response);
      response.setHeader('Cache-Control', 'no-cache');
      response.sendFile(page);
    });
  };
}

function isForBrowser({ method, headers }: Request): boolean {
  return (method === 'GET' || method === 'HEAD') && (headers.accept ?? '').includes('text/html');
}

function allowConsole(response: Response): void {
  response.setHeader('Content-Security-Policy', contentSecurityPolicy);
  response.setHeader('Permissions-Policy', 'camera=(self)');
}
