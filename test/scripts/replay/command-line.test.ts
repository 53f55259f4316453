import { describe, expect, it } from 'vitest';
import { readCommandLine } from '../../../scripts/replay/command-line.ts';

const demo = { name: 'demo', defaultPrefix: 'DEMO', folder: 'sample' };

describe('the command line of a replay', () => {
  it.each([
    [[], {}, 'http://127.0.0.1:8080'],
    [[], { PORT: '8090' }, 'http://127.0.0.1:8090'],
    [['--url', 'http://127.0.0.1:8070'], { PORT: '8090' }, 'http://127.0.0.1:8070'],
  ])('finds the service where %j and %j say', (args, env, url) => {
    expect(readCommandLine(demo, args, env)).toMatchObject({ url, folder: 'sample' });
  });

  it('says how it is used where it cannot be read', () => {
    expect(() => readCommandLine(demo, ['--nonsense'], {})).toThrow('npm run demo --');
    expect(() => readCommandLine(demo, [], { PORT: 'x' })).toThrow('--url takes');
  });
});
