import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';

const fixture = fileURLToPath(new URL('fixtures/looks-after-its-starter.ts', import.meta.url));

let left: number | undefined;
afterEach(() => {
  if (left === undefined) return;
  try {
    process.kill(left, 'SIGKILL');
  } catch {
    // It has ended, as it should.
  }
});

describe('what npm has started', () => {
  it('ends when its starter was killed, and not before', async () => {
    // As under npm: a shell that starts node and waits for it.
    const command = `"$0" --import tsx "$1"; true`;
    const shell = spawn('sh', ['-c', command, process.execPath, fixture], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines = createInterface({ input: shell.stdout })[Symbol.asyncIterator]();
    left = Number((await lines.next()).value);
    expect(() => process.kill(left ?? 0, 0)).not.toThrow();
    shell.kill('SIGTERM');
    expect((await lines.next()).value).toBe('left');
  });
});
