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
      dockHoldSeconds: 300,
      availabilityCacheSeconds: 10,
      rateLimitPerKey: 0,
      rateLimitPerAddress: 0,
      trustProxy: 0,
      tls: undefined,
      drainMs: 0,
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

  it.each(['127.0.0.1', '127.8.9.10', '::1', 'localhost'])(
    'set no limits on %s, where only this machine can call',
    (HOST) => {
      expect(readSettings({ MONGODB_URI, HOST })).toMatchObject({
        rateLimitPerKey: 0,
        rateLimitPerAddress: 0,
        drainMs: 0,
      });
    },
  );

  it.each(['0.0.0.0', '::', '10.0.0.7', 'stockroom.test'])(
    'set limits on %s, and a stop tells of itself first',
    (HOST) => {
      const settings = readSettings({ MONGODB_URI, HOST, RATE_LIMIT_PER_KEY: '0' });
      expect(settings.rateLimitPerKey).toBe(0);
      expect(settings.rateLimitPerAddress).toBeGreaterThan(0);
      expect(settings.drainMs).toBeGreaterThan(0);
    },
  );

  it.each([
    ['2', 2],
    ['true', 1],
    ['false', 0],
    [
      '10.0.0.0/8, fd00::/8,loopback,192.0.2.7',
      ['10.0.0.0/8', 'fd00::/8', 'loopback', '192.0.2.7'],
    ],
  ])('take TRUST_PROXY=%s for %j', (TRUST_PROXY, trustProxy) => {
    expect(readSettings({ MONGODB_URI, TRUST_PROXY })).toMatchObject({ trustProxy });
  });

  it('have HTTPS with both of its files, never with one', () => {
    const files = { TLS_CERT_FILE: 'cert.pem', TLS_KEY_FILE: 'key.pem' };
    expect(readSettings({ MONGODB_URI, ...files })).toMatchObject({
      tls: { certFile: 'cert.pem', keyFile: 'key.pem' },
    });
    expect(() => readSettings({ MONGODB_URI, TLS_CERT_FILE: 'x' })).toThrow(
      /TLS_KEY_FILE must be set/,
    );
    expect(() => readSettings({ MONGODB_URI, TLS_KEY_FILE: 'x' })).toThrow(
      /TLS_CERT_FILE must be set/,
    );
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
    ['RATE_LIMIT_PER_KEY', '-1'],
    ['RATE_LIMIT_PER_ADDRESS', '1.5'],
    ['TRUST_PROXY', '10'],
    ['TRUST_PROXY', 'hidden.test'],
    ['TRUST_PROXY', '10.0.0.0/33'],
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
