import { describe, expect, it } from 'vitest';
import { readFolder } from '../../../scripts/backup/command-line.ts';

describe('the command line of a backup', () => {
  it('names one folder', () => {
    expect(readFolder('out', ['--out', 'x'])).toEqual({ kind: 'folder', folder: 'x' });
    expect(readFolder('from', ['--from', 'x'])).toEqual({ kind: 'folder', folder: 'x' });
  });

  it.each([[], ['--out'], ['--from', 'x'], ['--out', ''], ['x']])(
    'cannot be used otherwise, and says how: %j',
    (...args) => {
      const read = readFolder('out', args);
      expect(read.kind).toBe('unusable');
      expect(read.kind === 'unusable' && read.message).toContain('npm run backup -- --out FOLDER');
    },
  );
});
