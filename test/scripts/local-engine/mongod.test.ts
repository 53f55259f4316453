import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startEngine } from '../../../scripts/local-engine/engine.ts';
import { findMongod } from '../../../scripts/local-engine/mongod-binary.ts';

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'stockroom-mongod-'));
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

/** A program that looks like mongod to whoever starts it, and takes connections. */
const FAKE_MONGOD = `#!${process.execPath}
if (process.argv.includes('--version')) {
  console.log('db version v8.2.1');
  process.exit(0);
}
const port = Number(process.argv[process.argv.indexOf('--port') + 1]);
require('node:net').createServer((socket) => socket.destroy()).listen(port, '127.0.0.1', () => {
  console.log('Waiting for connections');
});
process.on('SIGINT', () => process.exit(0));
`;

async function installMongod(): Promise<string> {
  const programs = path.join(folder, 'bin');
  const program = path.join(programs, 'mongod');
  await mkdir(programs);
  await writeFile(program, FAKE_MONGOD, { mode: 0o755 });
  vi.stubEnv('PATH', `${programs}:${process.env['PATH'] ?? ''}`);
  vi.stubEnv('MONGOMS_SYSTEM_BINARY', undefined);
  return program;
}

describe('a mongod on the machine', () => {
  it('is found although a download failed before it was installed', async () => {
    await writeFile(path.join(folder, 'mongod-download-failed'), '');
    const program = await installMongod();
    const search = await findMongod(folder, () => undefined);
    expect(search).toEqual({ binary: program, found: 'mongod is installed' });
  });

  it('is taken for a new data folder, shared with whoever joins, and ended with the last', async () => {
    await installMongod();
    const lines: string[] = [];
    const options = {
      dataDirectory: path.join(folder, 'data'),
      env: {},
      progress: (line: string) => lines.push(line),
    };
    const first = await startEngine(options);
    const second = await startEngine(options);
    expect(first.kind).toBe('memory-server');
    expect(second.uri).toBe(first.uri);
    expect(lines).toEqual([
      'database: memory-server, because mongod is installed',
      'database: memory-server, because it runs already on this data folder',
    ]);
    await first.stop();
    await second.stop();
    await second.ended;
    await vi.waitFor(() => {
      expect(() => process.kill(second.supervisorPid ?? 0, 0)).toThrow('ESRCH');
    });
  });
});
