/** Certificate and key of HTTPS, read once at the start, so that a fault in them shows there. */
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { Settings } from './config.ts';
import { SettingsError } from './config.ts';
import type { Certificate } from './http/server.ts';

/** @throws {SettingsError} where they cannot be read, or are no pair. */
export async function readTlsFiles(tls: Settings['tls']): Promise<Certificate | undefined> {
  if (tls === undefined) return undefined;
  const pair = {
    cert: await readPem('TLS_CERT_FILE', tls.certFile),
    key: await readPem('TLS_KEY_FILE', tls.keyFile),
  };
  try {
    createSecureContext(pair);
  } catch (error) {
    throw refused('TLS_CERT_FILE and TLS_KEY_FILE are no certificate and its key', error);
  }
  return pair;
}

async function readPem(setting: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw refused(`${setting} cannot be read`, error);
  }
}

function refused(what: string, error: unknown): SettingsError {
  const cause = error instanceof Error ? error.message : String(error);
  return new SettingsError(`The settings cannot be used: ${what}: ${cause}.`);
}
