import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, inject, it } from 'vitest';

const script = fileURLToPath(new URL('../../../scripts/bench/export-memory.ts', import.meta.url));

it('an export is measured whole, in both forms', async () => {
  const child = spawn(process.execPath, ['--import', 'tsx', script, '--movements', '2500'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, MONGODB_URI: inject('engine').uri },
  });
  const [out] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  expect(out).toMatch(/^text\/csv: 2501 rows, .*(above idle|no memory figures)/m);
  expect(out).toMatch(/^application\/x-ndjson: 2500 rows, .*(above idle|no memory figures)/m);
  expect(child.exitCode).toBe(0);
});
