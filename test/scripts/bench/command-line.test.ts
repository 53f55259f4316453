import { describe, expect, it } from 'vitest';
import { UsageError, readBenchSettings } from '../../../scripts/bench/command-line.ts';

describe('the command line', () => {
  it('asks for five runs in process and over HTTP when it says nothing', () => {
    const settings = readBenchSettings([], {});
    expect(settings).toMatchObject({ runs: 5, clients: [1, 16, 64], manySkus: 1_000 });
    expect([...settings.sections]).toEqual(['in-process', 'http']);
    expect(settings.endurance).toEqual({ few: 100_000, many: 1_000_000 });
  });

  it('takes each setting', () => {
    const settings = readBenchSettings(
      ['--quick', '--runs', '3', '--only', 'processes,endurance', '--movements', '10,20'],
      { MONGODB_URI: 'mongodb://localhost' },
    );
    expect(settings).toMatchObject({ runs: 3, seconds: 1, uri: 'mongodb://localhost' });
    expect([...settings.sections]).toEqual(['processes', 'endurance']);
    expect(settings.endurance).toEqual({ few: 10, many: 20 });
  });

  it.each([
    [['--only', 'everything']],
    [['--runs', '0']],
    [['--seconds', 'long']],
    [['--movements', '1']],
    [['--sekonds', '1']],
  ])('turns away %j', (args) => {
    expect(() => readBenchSettings(args, {})).toThrow(UsageError);
  });
});
