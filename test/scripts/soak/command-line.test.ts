import { describe, expect, it } from 'vitest';
import { readCommandLine } from '../../../scripts/soak/command-line.ts';

describe('the command line of the soak', () => {
  it('soaks for half an hour where nothing is said', () => {
    const settings = { minutes: 30, clients: 12, into: '.data/soak' };
    expect(readCommandLine([])).toEqual({ kind: 'settings', settings });
  });

  it('takes what is said', () => {
    const args = ['--minutes', '0.5', '--clients', '3', '--into', 'here'];
    const settings = { minutes: 0.5, clients: 3, into: 'here' };
    expect(readCommandLine(args)).toEqual({ kind: 'settings', settings });
  });

  it.each([
    ['--minutes', '0'],
    ['--minutes', 'long'],
    ['--clients', '1.5'],
    ['--speed', '9'],
  ])('refuses %s %s with the usage', (...args) => {
    const read = readCommandLine(args);
    expect(read.kind).toBe('unusable');
    expect(read).toMatchObject({ message: expect.stringContaining('npm run soak') as unknown });
  });
});
