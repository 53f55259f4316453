import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { cacheFolder } from '../../../scripts/local-engine/cache-folder.ts';

describe('the cache folder', () => {
  it('follows XDG_CACHE_HOME where that is absolute', () => {
    expect(cacheFolder({ XDG_CACHE_HOME: '/var/cache/me' })).toBe('/var/cache/me/stockroom');
    const usual = path.join(os.homedir(), '.cache/stockroom');
    expect(cacheFolder({ XDG_CACHE_HOME: 'relative' })).toBe(usual);
    expect(cacheFolder({})).toBe(usual);
  });
});
