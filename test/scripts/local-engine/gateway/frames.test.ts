import { describe, expect, it } from 'vitest';
import {
  createFrameReader,
  MalformedFrame,
  MAX_MESSAGE_BYTES,
} from '../../../../scripts/local-engine/gateway/frames.ts';
import { int32, opMsg } from './wire-messages.ts';

const ping = opMsg({ ping: 1, $db: 'admin' }, { requestId: 7 });
const hello = opMsg({ hello: 1, $db: 'admin' }, { requestId: 8 });

describe('the frame reader', () => {
  it('finds a message however the network splits it in two', () => {
    for (let at = 1; at < ping.length; at += 1) {
      const read = createFrameReader();
      expect(read(ping.subarray(0, at)), `split at ${at}`).toEqual([]);
      expect(read(ping.subarray(at)), `split at ${at}`).toEqual([ping]);
    }
  });

  it('finds a message that comes a byte at a time', () => {
    const read = createFrameReader();
    const found = Array.from(ping, (byte) => read(Buffer.from([byte])));
    expect(found.slice(0, -1).flat()).toEqual([]);
    expect(found.at(-1)).toEqual([ping]);
  });

  it('finds several messages in one packet and keeps the beginning of the next', () => {
    const read = createFrameReader();
    const packet = Buffer.concat([ping, hello, ping.subarray(0, 5)]);
    expect(read(packet)).toEqual([ping, hello]);
    expect(read(ping.subarray(5))).toEqual([ping]);
  });

  it('finds a message that ends where the next one begins, at every split', () => {
    const stream = Buffer.concat([ping, hello]);
    for (let at = 1; at < stream.length; at += 1) {
      const read = createFrameReader();
      const found = [...read(stream.subarray(0, at)), ...read(stream.subarray(at))];
      expect(found, `split at ${at}`).toEqual([ping, hello]);
    }
  });

  it.each([0, 15, -1, -2_147_483_648, MAX_MESSAGE_BYTES + 1, 2_147_483_647])(
    'refuses a message that claims %d bytes',
    (length) => {
      expect(() => createFrameReader()(int32(length))).toThrow(MalformedFrame);
    },
  );

  it('takes the shortest and the longest length there may be', () => {
    expect(createFrameReader()(int32(MAX_MESSAGE_BYTES))).toEqual([]);
    const shortest = Buffer.concat([int32(16), Buffer.alloc(12)]);
    expect(createFrameReader()(shortest)).toEqual([shortest]);
  });
});
