/** Builds the console as it ships, whatever environment the caller runs in. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const root = path.join(import.meta.dirname, '..');

/** @throws with what the build printed where it fails. */
export async function buildConsole(): Promise<void> {
  const vite = path.join(root, 'node_modules/vite/bin/vite.js');
  const env = { ...process.env, NODE_ENV: 'production' };
  await promisify(execFile)(process.execPath, [vite, 'build', '-c', 'console.config.ts'], {
    cwd: root,
    env,
  });
}
