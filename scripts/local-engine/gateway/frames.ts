/**
 * Cuts a byte stream into wire-protocol messages.
 *
 * 1. A message is handed on only when all of it is there, however the network split it.
 * 2. A length outside [16, 48 MB] is refused before any of its bytes is kept: what follows can't be
 *    trusted, so the caller closes the connection.
 */

/** The largest message MongoDB's protocol allows, which is also what `hello` announces. */
export const MAX_MESSAGE_BYTES = 48_000_000;

export const HEADER_BYTES = 16;

/** Thrown for bytes that are no message; the connection has no next message to look for. */
export class MalformedFrame extends Error {
  override readonly name = 'MalformedFrame';
}

/** Takes the chunks of one connection and returns the messages each of them completes. */
export type FrameReader = (chunk: Buffer) => Buffer[];

export function createFrameReader(): FrameReader {
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let wantedBytes = 4;

  return (chunk) => {
    pending.push(chunk);
    pendingBytes += chunk.length;
    if (pendingBytes < wantedBytes) return [];

    const messages: Buffer[] = [];
    const only = pending.length === 1 ? pending[0] : undefined;
    let rest = only ?? Buffer.concat(pending, pendingBytes);
    wantedBytes = 4;
    while (rest.length >= 4) {
      wantedBytes = messageLength(rest);
      if (rest.length < wantedBytes) break;
      messages.push(rest.subarray(0, wantedBytes));
      rest = rest.subarray(wantedBytes);
      wantedBytes = 4;
    }
    pending = rest.length === 0 ? [] : [rest];
    pendingBytes = rest.length;
    return messages;
  };
}

function messageLength(bytes: Buffer): number {
  const length = bytes.readInt32LE(0);
  if (length < HEADER_BYTES || length > MAX_MESSAGE_BYTES) {
    throw new MalformedFrame(`message claims ${length} bytes`);
  }
  return length;
}
