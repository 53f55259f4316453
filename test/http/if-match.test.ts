import { describe, expect, it } from 'vitest';
import { parseIfMatch } from '../../src/http/if-match.ts';

describe('If-Match', () => {
  it.each([
    [undefined, { kind: 'unconditional' }],
    ['*', { kind: 'exists' }],
    ['"0"', { kind: 'version', version: 0 }],
    ['"17"', { kind: 'version', version: 17 }],
  ])('%s is understood', (header, value) => {
    expect(parseIfMatch(header)).toEqual({ ok: true, value });
  });

  it.each(['', '17', 'W/"17"', '"17", "18"', '"017"', '"-1"', '"abc"', '"', '"9999999999999999"'])(
    '%s is malformed',
    (header) => {
      expect(parseIfMatch(header)).toMatchObject({ problem: { code: 'if-match-invalid' } });
    },
  );
});
