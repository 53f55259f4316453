/**
 * Answers that come bit by bit.
 *
 * 1. Nothing is made faster than the reader takes it: one piece is under way, one is ready.
 * 2. What fails after the first byte breaks the connection, so that nobody takes a part for the
 *    whole.
 * 3. A reader that takes nothing for a minute is let go; it would hold its connection for ever.
 */
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const readerPatienceMs = 60_000;

/**
 * The head of the response has been written.
 * @param onBroken is told why the rest does not come, before the connection breaks.
 */
export async function sendText(
  response: ServerResponse,
  text: AsyncIterable<string>,
  onBroken: (cause: string) => void,
): Promise<void> {
  response.setTimeout(readerPatienceMs, () => response.destroy());
  const pieces = Readable.from(told(text, onBroken), { highWaterMark: 1 });
  // It ends by destroying the response (2), or because the reader has gone; either way nobody is
  // left to be told.
  await pipeline(pieces, response).catch(() => undefined);
}

async function* told(
  text: AsyncIterable<string>,
  onBroken: (cause: string) => void,
): AsyncGenerator<string> {
  try {
    yield* text;
  } catch (error) {
    onBroken(error instanceof Error ? error.message : String(error));
    throw error;
  }
}
