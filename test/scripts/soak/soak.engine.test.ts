/** A soak of some seconds: that its report tells what happened, and that it fails where it must. */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Db } from 'mongodb';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

const script = fileURLToPath(new URL('../../../scripts/soak.ts', import.meta.url));
const { uri } = inject('engine');
const client = new MongoClient(uri);
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'stockroom-soaked-'));
});
afterAll(async () => {
  await client.close();
  await rm(folder, { recursive: true, force: true });
});

interface Entry {
  readonly _id: { readonly sku: string; readonly ordinal: number };
  readonly type: string;
  readonly lines: readonly { readonly delta: number }[];
}

interface Soaked {
  readonly exitCode: number | null;
  readonly said: readonly string[];
  readonly report: string;
  readonly picture: string;
}

/** @param onFault is given the database of the soak when the first thing goes wrong. */
async function soak(name: string, onFault?: (db: Db) => Promise<void>): Promise<Soaked> {
  const into = path.join(folder, name);
  const args = ['--import', 'tsx', script, '--minutes', '0.2', '--clients', '6', '--into', into];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, MONGODB_URI: uri },
  });
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const said: string[] = [];
  let database = '';
  for await (const line of createInterface({ input: child.stdout })) {
    said.push(line);
    database = /\bsoak_\d+\b/.exec(line)?.[0] ?? database;
    if (onFault !== undefined && said.filter(isFault).length === 1 && isFault(line)) {
      await onFault(client.db(database));
    }
  }
  const exitCode = await exit;
  await client.db(database).dropDatabase();
  return {
    exitCode,
    said,
    report: await readFile(path.join(into, 'report.md'), 'utf8'),
    picture: await readFile(path.join(into, 'figures.svg'), 'utf8'),
  };
}

const isFault = (line: string): boolean => /^\d+ s: /.test(line);

/** Longer than a soak waits for its callers' last answers: one that never comes is in its report. */
const timeout = 200_000;

describe.concurrent('a soak', { timeout }, () => {
  it('tells what went wrong on purpose, what was met, and that all is well', async () => {
    const { exitCode, said, report, picture } = await soak('well');
    expect(report).toContain('**All is well**');
    expect(exitCode).toBe(0);
    const happened = said.filter(isFault).map((line) => line.replace(/^\d+ s: /, ''));
    expect(happened).toContain('service 1 is killed');
    for (const what of happened) {
      expect(report).toContain(what);
      expect(picture).toContain(`<title>${what}</title>`);
    }
    const [, answered, movements] =
      /(\d+) requests were answered .* (\d+) movements/.exec(report) ?? [];
    expect(Number(answered)).toBeGreaterThan(20);
    expect(Number(movements)).toBeGreaterThan(10);
    // Each figure was measured and drawn. Late in so short a soak every caller may still wait for
    // the process whose answers were lost: then nothing was answered, and the report says so.
    const rows = report.split('\n').filter((line) => /^\| [A-Z]/.test(line));
    expect(rows).toHaveLength(11);
    expect(
      rows.filter((row) => !/^\|[^|]+\| *[\d.]+ *\| *([\d.]+|–) *\| *[\d.]+ *\|$/.test(row)),
    ).toEqual([]);
    expect(picture.match(/<path d="M/g)).toHaveLength(16);
    expect(picture).not.toContain('NaN');
  });

  it('fails where a movement is not what its caller was told', async () => {
    let liesAbout = '';
    const { exitCode, report } = await soak('lie', async (db) => {
      const entries = db.collection<Entry>('movements');
      for (let entry: Entry | null = null; entry === null; liesAbout = entry?._id.sku ?? '') {
        const lie = { $set: { 'lines.0.delta': 77 } };
        entry = await entries.findOneAndUpdate({ '_id.ordinal': 1, type: 'receive' }, lie);
      }
    });
    expect(exitCode).toBe(1);
    expect(report).not.toContain('All is well');
    expect(report).toMatch(new RegExp(`- ${liesAbout}: as-asked: .*\\bmovement 1\\b`));
  });
});
