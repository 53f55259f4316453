import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { generate } from 'selfsigned';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSettings } from '../../src/config.ts';
import { startService } from '../../src/service.ts';
import { useDatabase } from '../support/database.ts';

const database = useDatabase();
const logger = pino({ level: 'silent' });
let folder = '';
const fileOf = (name: string) => path.join(folder, name);

/** A certificate of 127.0.0.1, signed with its own key. */
async function writePair(name: string): Promise<string> {
  const extensions = [
    { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
  ] as const;
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'stockroom' }], {
    keyType: 'ec',
    extensions: [
      ...extensions.map((extension) => ({ ...extension, altNames: [...extension.altNames] })),
    ],
  });
  await writeFile(fileOf(`${name}-cert.pem`), cert);
  await writeFile(fileOf(`${name}-key.pem`), key);
  return cert;
}

let cert = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'stockroom-tls-'));
  cert = await writePair('own');
  await writePair('other');
  await writeFile(fileOf('garbage.pem'), 'no PEM');
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

function settingsWith(certFile: string, keyFile: string) {
  return readSettings({
    MONGODB_URI: database.uri,
    MONGODB_DATABASE: database.name,
    PORT: '0',
    TLS_CERT_FILE: fileOf(certFile),
    TLS_KEY_FILE: fileOf(keyFile),
  });
}

async function get(url: string): Promise<IncomingMessage> {
  const asked = request(url, { ca: cert, agent: false }).end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  answer.resume();
  return answer;
}

describe('with a certificate and its key', () => {
  it('the service speaks HTTPS to who trusts the certificate, and a stop says first that it comes', async () => {
    const settings = { ...settingsWith('own-cert.pem', 'own-key.pem'), drainMs: 1_500 };
    const service = await startService(settings, logger);
    let stopped: Promise<void> | undefined;
    try {
      await service.prepared;
      expect(service.url).toMatch(/^https:/);
      const answer = await get(`${service.url}/readyz`);
      expect(answer.statusCode).toBe(200);
      expect(answer.headers['strict-transport-security']).toMatch(/max-age/);
      await expect(fetch(`${service.url}/livez`)).rejects.toThrow();
      await expect(fetch(`${service.url.replace('https:', 'http:')}/livez`)).rejects.toThrow();
      stopped = service.stop();
      expect((await get(`${service.url}/readyz`)).statusCode).toBe(503);
      expect((await get(`${service.url}/livez`)).statusCode).toBe(200);
    } finally {
      await (stopped ?? service.stop());
    }
  });
});

describe('without a pair that can be used', () => {
  it.each([
    ['missing.pem', 'own-key.pem', /TLS_CERT_FILE cannot be read: ENOENT/],
    ['own-cert.pem', 'missing.pem', /TLS_KEY_FILE cannot be read: ENOENT/],
    ['garbage.pem', 'own-key.pem', /TLS_CERT_FILE and TLS_KEY_FILE are no certificate and its key/],
    ['own-cert.pem', 'other-key.pem', /TLS_CERT_FILE and TLS_KEY_FILE are no certificate and/],
  ])('the service does not start: %s, %s', async (certFile, keyFile, message) => {
    await expect(startService(settingsWith(certFile, keyFile), logger)).rejects.toThrow(message);
  });
});
