import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acquireLock } from '../../../scripts/local-engine/lock.ts';
import { addressFor } from '../../../scripts/local-engine/rendezvous.ts';

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'stockroom-lock-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('the lock', () => {
  it('lets the next one in only when it is released', async () => {
    const events: string[] = [];
    const first = await acquireLock({ purpose: 'p', folder });
    const second = acquireLock({
      purpose: 'p',
      folder,
      onWait: () => {
        events.push('waits');
        void first.release().then(() => events.push('released'));
      },
    });
    await (await second).release();
    expect(events).toEqual(['waits', 'released']);
  });

  it('is another one for another purpose and for another folder', async () => {
    const other = path.join(folder, 'other');
    const locks = [
      await acquireLock({ purpose: 'p', folder }),
      await acquireLock({ purpose: 'q', folder }),
      await acquireLock({ purpose: 'p', folder: other }),
    ];
    for (const lock of locks) await lock.release();
  });

  it('goes to somebody else when its holder is killed', async () => {
    const child = spawn(process.execPath, ['--import', 'tsx', holder(), folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    let hasWaited = false;
    const lock = await acquireLock({
      purpose: 'p',
      folder,
      onWait: () => {
        hasWaited = true;
        child.kill('SIGKILL');
      },
    });
    expect(hasWaited).toBe(true);
    await lock.release();
  });
});

describe('the address of a folder', () => {
  it('is the same under every path that leads to it', async () => {
    const real = path.join(folder, 'real');
    await mkdir(real);
    await symlink(real, path.join(folder, 'link'));
    expect(await addressFor('p', path.join(folder, 'link'))).toBe(await addressFor('p', real));
    expect(await addressFor('p', folder)).not.toBe(await addressFor('p', real));
  });
});

function holder(): string {
  return fileURLToPath(new URL('fixtures/lock-holder.ts', import.meta.url));
}
