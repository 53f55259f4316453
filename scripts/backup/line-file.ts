/** One collection as a file: a document a line, in canonical Extended JSON, compressed. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { once } from 'node:events';
import { finished, pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { Document } from 'mongodb';
import { BSON } from 'mongodb';

export interface Written {
  readonly documents: number;
  readonly sha256: string;
}

export interface LineFile {
  readonly write: (document: Document) => Promise<void>;
  readonly close: () => Promise<Written>;
}

export function writeLines(file: string): LineFile {
  const gzip = createGzip();
  const out = gzip.pipe(createWriteStream(file, { flags: 'wx', mode: 0o600 }));
  const done = finished(out);
  // A failure is told where the file is next written or closed, not as a rejection of its own.
  done.catch((error: unknown) => gzip.destroy(error instanceof Error ? error : undefined));
  let documents = 0;
  return {
    write: async (document) => {
      documents += 1;
      const line = BSON.EJSON.stringify(document, { relaxed: false });
      if (!gzip.write(`${line}\n`)) await Promise.race([once(gzip, 'drain'), done]);
    },
    close: async () => {
      gzip.end();
      await done;
      return { documents, sha256: await sha256Of(file) };
    },
  };
}

export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** The documents, with every number of the type that it had. */
export async function* readLines(file: string): AsyncGenerator<Document> {
  const source = createReadStream(file);
  const text = source.pipe(createGunzip());
  source.on('error', (error) => text.destroy(error));
  for await (const line of createInterface({ input: text, crlfDelay: Infinity })) {
    const document: unknown = BSON.EJSON.parse(line, { relaxed: false });
    if (typeof document !== 'object' || document === null) throw new Error(`no document: ${line}`);
    yield document;
  }
}
