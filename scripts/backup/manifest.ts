/** What a backup consists of. It is written last: a folder without it is no backup. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { sha256Of } from './line-file.ts';

const manifestShape = z.object({
  format: z.literal('stockroom-backup-1'),
  database: z.string(),
  startedAt: z.string(),
  endedAt: z.string(),
  /** Ledger entries that came after their SKU was copied. */
  leftOut: z.number(),
  collections: z.array(
    z.object({
      name: z.string().regex(/^\w+$/),
      documents: z.number(),
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
    }),
  ),
});

export type Manifest = z.output<typeof manifestShape>;

const fileName = 'manifest.json';

export function fileOf(folder: string, collection: string): string {
  return path.join(folder, `${collection}.jsonl.gz`);
}

export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  await writeFile(path.join(folder, fileName), text, { flag: 'wx', mode: 0o600 });
}

/** @throws where the folder is no whole backup, before anything was done with it. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(path.join(folder, fileName), 'utf8').catch(() => {
    throw new Error(`${folder} holds no ${fileName}: it is no backup, or one that was cut short`);
  });
  const manifest = manifestShape.parse(JSON.parse(text));
  for (const { name, sha256 } of manifest.collections) {
    const found = await sha256Of(fileOf(folder, name));
    if (found !== sha256) throw new Error(`${fileOf(folder, name)} is damaged`);
  }
  return manifest;
}
