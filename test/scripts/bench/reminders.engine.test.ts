import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, inject, it } from 'vitest';

const script = fileURLToPath(new URL('../../../scripts/bench/reminders.ts', import.meta.url));

it('reminders are measured: delivered once by two processes, and what an idle one asks', async () => {
  const asked = ['--due', '200', '--idle-seconds', '3'];
  const child = spawn(process.execPath, ['--import', 'tsx', script, ...asked], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, MONGODB_URI: inject('engine').uri },
  });
  const [out] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  expect(out).toMatch(/^200 due reminders, .* 0 delivered more than once$/m);
  expect(out).toMatch(/^idle: [1-4] commands to the database in 3 s$/m);
  expect(child.exitCode).toBe(0);
});
