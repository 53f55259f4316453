import { describe, expect, it } from 'vitest';
import { readSettings, SettingsError } from '../../src/config.ts';

const MONGODB_URI = 'mongodb://user:hidden@db.test/';

describe('settings', () => {
  it('have defaults for all but the database', () => {
    expect(readSettings({ MONGODB_URI })).toEqual({
      mongodbUri: MONGODB_URI,
      mongodbDatabase: 'stockroom',
      host: '127.0.0.1',
      port: 8080,
      requestDeadlineMs: 8000,
      adminApiKey: undefined,
      webhook: undefined,
      logLevel: 'info',
    });
  });

  it('are taken from the environment', () => {
    const ADMIN_API_KEY = '0123456789abcdef';
    const settings = readSettings({ MONGODB_URI, PORT: '0', LOG_LEVEL: 'warn', ADMIN_API_KEY });
    expect(settings).toMatchObject({ port: 0, logLevel: 'warn', adminApiKey: ADMIN_API_KEY });
  });

  it('have a webhook only with the secret that signs what goes there', () => {
    const WEBHOOK_URL = 'https://hooks.test/due';
    const WEBHOOK_SECRET = '0123456789abcdef';
    expect(readSettings({ MONGODB_URI, WEBHOOK_URL, WEBHOOK_SECRET })).toMatchObject({
      webhook: { url: WEBHOOK_URL, secret: WEBHOOK_SECRET },
    });
    expect(() => readSettings({ MONGODB_URI, WEBHOOK_URL })).toThrow(/WEBHOOK_SECRET must be set/);
  });

  it('count as not set where they are empty', () => {
    expect(readSettings({ MONGODB_URI, PORT: '', ADMIN_API_KEY: '' })).toMatchObject({
      port: 8080,
      adminApiKey: undefined,
    });
  });

  it.each([
    ['MONGODB_URI', undefined],
    ['MONGODB_URI', ''],
    ['MONGODB_URI', 'postgres://hidden'],
    ['MONGODB_DATABASE', 'a.b'],
    ['PORT', '-1'],
    ['PORT', '65536'],
    ['PORT', '8080x'],
    ['PORT', '0x50'],
    ['REQUEST_DEADLINE_MS', '0'],
    ['REQUEST_DEADLINE_MS', '1.5'],
    ['ADMIN_API_KEY', 'hidden'],
    ['ADMIN_API_KEY', 'hidden with white space'],
    ['LOG_LEVEL', 'loud'],
    ['WEBHOOK_URL', 'ftp://hidden'],
    ['WEBHOOK_URL', 'https://user:hidden@hooks.test/'],
    ['WEBHOOK_SECRET', 'hidden'],
  ])('are refused by name: %s=%s', (name, value) => {
    const read = () => readSettings({ MONGODB_URI, [name]: value });
    expect(read).toThrow(SettingsError);
    expect(read).toThrow(new RegExp(`\\b${name} must `));
    expect(read).not.toThrow(/hidden/);
  });

  it('are refused all at once', () => {
    expect(() => readSettings({ PORT: 'x' })).toThrow(/MONGODB_URI .*; PORT /);
  });
});
