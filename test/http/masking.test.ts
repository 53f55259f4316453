import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { readSettings, secretsOf } from '../../src/config.ts';
import { maskOf } from '../../src/http/masking.ts';
import { loggerOptions } from '../../src/http/request-log.ts';

const settings = readSettings({
  MONGODB_URI: 'mongodb://keeper:pa%2Fss-word@db.test/?tls=true',
  ADMIN_API_KEY: 'admin"secret\\0123456',
  WEBHOOK_URL: 'https://hooks.test/',
  WEBHOOK_SECRET: 'webhook-secret-0123',
});

/** One line, as a logger of the process writes it. */
function lineOf(log: (logger: pino.Logger) => void): string {
  const lines: string[] = [];
  log(
    pino(loggerOptions('trace', maskOf(secretsOf(settings))), {
      write: (line) => lines.push(line),
    }),
  );
  expect(lines).toHaveLength(1);
  return lines.join('');
}

describe('a line of the log', () => {
  it.each([
    ['the password as the address writes it', settings.mongodbUri, 'pa%2Fss-word'],
    ['the password as it is', 'wrong password pa/ss-word', 'pa/ss-word'],
    ['the admin key', 'admin"secret\\0123456 is not good', 'secret'],
    ['the secret of the webhook', 'signed with webhook-secret-0123', 'webhook-secret'],
    ['a key that a caller sent', 'got authorization: Bearer caller-0123', 'caller-0123'],
  ])('never shows %s, wherever it comes from', (_, text, secret) => {
    for (const log of [
      (logger: pino.Logger) => {
        logger.error({ err: new Error(text) }, 'failed');
      },
      (logger: pino.Logger) => {
        logger.warn({ cause: text, deep: { er: { still: [text] } } }, text);
      },
    ]) {
      const line = lineOf(log);
      expect(line).not.toContain(secret);
      expect(line).toContain('[redacted]');
      expect(JSON.parse(line)).toBeTypeOf('object');
    }
  });

  it('never shows the headers that carry a key', () => {
    const line = lineOf((logger) => {
      logger.info({ headers: { authorization: 'Basic c2VjcmV0' } }, 'request');
    });
    expect(line).not.toContain('c2VjcmV0');
  });

  it('stays one line, whatever line breaks stand in a text', () => {
    const line = lineOf((logger) => {
      logger.info({ cause: 'a\nb\r\nc\u2028d\u2029e\u0085f' }, 'x\ny');
    });
    expect(line.trimEnd()).not.toMatch(/[\n\r\u0085\u2028\u2029]/);
    expect(JSON.parse(line)).toMatchObject({ cause: 'a\nb\r\nc d e f', msg: 'x\ny' });
  });

  it('keeps what is no secret', () => {
    const line = lineOf((logger) => {
      logger.info({ actor: 'keeper', route: '/v1/skus/{sku}' }, 'request');
    });
    expect(JSON.parse(line)).toMatchObject({ actor: 'keeper', route: '/v1/skus/{sku}' });
  });
});
