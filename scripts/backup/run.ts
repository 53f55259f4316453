/** Backup and restore, each from end to end. */
import { mkdir, readdir } from 'node:fs/promises';
import { createClient } from '../../src/store/client.ts';
import { copyAll } from './copy.ts';
import type { Manifest } from './manifest.ts';
import { readManifest, writeManifest } from './manifest.ts';
import { putBack } from './put-back.ts';

/** @throws where the folder holds anything already, so that no backup is mixed with another. */
export async function backUp(uri: string, database: string, folder: string): Promise<Manifest> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0) throw new Error(`${folder} is not empty`);
  const client = createClient(uri);
  try {
    const startedAt = new Date().toISOString();
    const copied = await copyAll(client.db(database), folder);
    const manifest = {
      format: 'stockroom-backup-1' as const,
      database,
      startedAt,
      endedAt: new Date().toISOString(),
      leftOut: copied.leftOut,
      collections: [...copied.collections],
    };
    await writeManifest(folder, manifest);
    return manifest;
  } finally {
    await client.close();
  }
}

export async function restore(uri: string, database: string, folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder);
  const client = createClient(uri);
  try {
    await putBack(client.db(database), folder, manifest);
    return manifest;
  } finally {
    await client.close();
  }
}

export function tellOf({ collections, leftOut }: Manifest): string {
  const width = Math.max(...collections.map(({ name }) => name.length));
  return [
    ...collections.map(({ name, documents }) => `${name.padEnd(width)}  ${documents}`),
    ...(leftOut > 0 ? [`${leftOut} movements came after their SKU was copied: left out.`] : []),
  ].join('\n');
}
