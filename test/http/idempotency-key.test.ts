import { describe, expect, it } from 'vitest';
import { parseActor } from '../../src/domain/ids.ts';
import { parseKey } from '../../src/http/idempotency-key.ts';

const actor = parseActor('admin') ?? expect.fail('admin is an actor');

describe('an Idempotency-Key', () => {
  it.each([
    ['abc', 'admin/abc'],
    ['"abc"', 'admin/abc'],
    ['8e03978e-40d5-43dd-bc93-6894a57f9324', 'admin/8e03978e-40d5-43dd-bc93-6894a57f9324'],
    ['a,b', 'admin/a,b'],
    ['a"b', 'admin/a"b'],
    ['a\\b', 'admin/a\\b'],
    ['"a\\"b"', 'admin/a"b'],
    ['"a\\\\b"', 'admin/a\\b'],
    ['x'.repeat(255), `admin/${'x'.repeat(255)}`],
    [`"${'x'.repeat(255)}"`, `admin/${'x'.repeat(255)}`],
  ])('%s is %s', (text, actionId) => {
    expect(parseKey(actor, text)).toBe(actionId);
  });

  it.each([
    '',
    '""',
    '"',
    '"abc',
    '"abc";x=1',
    '"a"b"',
    '"a\\b"',
    '"a\\"',
    'a b',
    '"a b"',
    'a, b',
    'é',
    'a\tb',
    'a\u0000b',
    'x'.repeat(256),
    `"${'x'.repeat(256)}"`,
  ])('%j is malformed', (text) => {
    expect(parseKey(actor, text)).toBeUndefined();
  });
});
