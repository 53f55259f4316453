import os from 'node:os';
import { describe, expect, it } from 'vitest';
import { startEngine } from '../../../scripts/local-engine/engine.ts';

describe('the choice of an engine', () => {
  it('takes the given one, leaves it alone, and says so in a line', async () => {
    const lines: string[] = [];
    const engine = await startEngine({
      dataDirectory: os.tmpdir(),
      env: { MONGODB_URI: 'mongodb://db.example/' },
      progress: (line) => lines.push(line),
    });
    expect(engine).toMatchObject({ uri: 'mongodb://db.example/', kind: 'given' });
    expect(lines).toEqual(['database: given, because MONGODB_URI names it']);
    await engine.stop();
  });
});
