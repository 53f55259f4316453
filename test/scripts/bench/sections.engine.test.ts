import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, inject, it } from 'vitest';

const script = fileURLToPath(new URL('../../../scripts/bench/bench.ts', import.meta.url));

it('receipts, due alarms and an idle service are measured, in a small way', async () => {
  const sections = ['--only', 'receipts,alarms,idle', '--alarms', '200', '--idle-seconds', '3'];
  const child = spawn(process.execPath, ['--import', 'tsx', script, ...sections], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, MONGODB_URI: inject('engine').uri },
  });
  const [out] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  expect(out).toMatch(/^Receipts: 50 lines over 50 SKUs take \d+ ms, .* stock conserved$/m);
  expect(out).toMatch(/^Alarms: 200 due at once, .* 0 delivered more than once$/m);
  expect(out).toMatch(/^Idle: \d+ commands to the database in 3 s/m);
  expect(out).toMatch(/^a2 .* met$/m);
  expect(child.exitCode).toBe(0);
});
