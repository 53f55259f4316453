/** The three files of a folder, as text. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FolderTexts } from './rows.ts';
import { fileNames } from './rows.ts';
import { ReplayStopped } from './stopped.ts';

export async function readFolder(folder: string): Promise<FolderTexts> {
  const [products, orders, lines] = await Promise.all([
    readText(folder, fileNames.products),
    readText(folder, fileNames.orders),
    readText(folder, fileNames.lines),
  ]);
  return { products, orders, lines };
}

async function readText(folder: string, name: string): Promise<string> {
  let bytes: Buffer;
  try {
    bytes = await readFile(join(folder, name));
  } catch (error) {
    throw new ReplayStopped(
      `${join(folder, name)} can't be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new ReplayStopped(`${join(folder, name)} is not UTF-8 text.`);
  }
}
