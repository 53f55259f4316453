import { deserialize, serialize } from 'bson';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MalformedFrame } from '../../../../scripts/local-engine/gateway/frames.ts';
import { encodeReply, parseMessage } from '../../../../scripts/local-engine/gateway/messages.ts';
import { MalformedDocument } from '../../../../scripts/local-engine/gateway/raw-document.ts';
import { documentSequence, int32, message, opMsg } from './wire-messages.ts';

const command = { insert: 'c', $db: 'd' };
const documents = [{ _id: 1 }, { _id: 2 }];
const document = Buffer.from(serialize(command));

describe('a request', () => {
  it('is read with its documents beside it', () => {
    const request = parseMessage(
      opMsg(command, { requestId: 9, tail: documentSequence('documents', documents) }),
    );
    expect(request).toMatchObject({ kind: 'msg', requestId: 9, wantsReply: true });
    expect(deserialize(request.body)).toEqual(command);
    expect(request.sequence).toEqual(Buffer.concat(documents.map((each) => serialize(each))));
  });

  it('is read where the documents come before the command', () => {
    const sections = [documentSequence('documents', documents), Buffer.from([0]), document];
    const request = parseMessage(message(2013, 1, [int32(0), ...sections]));
    expect(deserialize(request.body)).toEqual(command);
    expect(request.sequence).toBeDefined();
  });

  it('is read without its checksum', () => {
    const request = parseMessage(opMsg(command, { flags: 1, tail: int32(0x12345678) }));
    expect(deserialize(request.body)).toEqual(command);
  });

  it('wants no reply when its sender has more to come, and may allow an exhaust stream', () => {
    expect(parseMessage(opMsg(command, { flags: 2 })).wantsReply).toBe(false);
    expect(parseMessage(opMsg(command, { flags: 0x10000 })).wantsReply).toBe(true);
  });

  it('is read from the OP_QUERY of a first hello', () => {
    const request = parseMessage(
      message(2004, 3, [
        int32(0),
        Buffer.from('admin.$cmd\0'),
        int32(0),
        int32(-1),
        Buffer.from(serialize({ isMaster: 1 })),
      ]),
    );
    expect(request).toMatchObject({ kind: 'query', requestId: 3 });
    expect(deserialize(request.body)).toEqual({ isMaster: 1 });
  });
});

describe('a malformed message is refused', () => {
  const cases: Record<string, Buffer> = {
    'an unknown opcode': opMsg(command, { opcode: 2012 }),
    'an unknown required flag': opMsg(command, { flags: 4 }),
    'no section': message(2013, 1, [int32(0)]),
    'an unknown section kind': message(2013, 1, [int32(0), Buffer.from([2]), document]),
    'two command documents': opMsg(command, { tail: Buffer.concat([Buffer.from([0]), document]) }),
    'a sequence and no command': message(2013, 1, [
      int32(0),
      documentSequence('documents', documents),
    ]),
    'a sequence longer than its message': opMsg(command, {
      tail: Buffer.concat([Buffer.from([1]), int32(1000), Buffer.from('documents\0')]),
    }),
    'a sequence with a negative size': opMsg(command, {
      tail: Buffer.concat([Buffer.from([1]), int32(-5), Buffer.from('documents\0')]),
    }),
    'a sequence without a name': opMsg(command, {
      tail: Buffer.concat([Buffer.from([1]), int32(8), Buffer.from('docu')]),
    }),
    'a truncated command': message(2013, 1, [int32(0), Buffer.from([0]), document.subarray(0, -3)]),
    'a truncated document in a sequence': opMsg(command, {
      tail: Buffer.concat([
        Buffer.from([1]),
        int32(4 + 2 + 6),
        Buffer.from('d\0'),
        document.subarray(0, 6),
      ]),
    }),
    'an OP_QUERY that is no command': message(2004, 1, [
      int32(0),
      Buffer.from('db.things\0'),
      int32(0),
      int32(1),
      document,
    ]),
  };
  it.each(Object.keys(cases))('%s', (name) => {
    const bytes = cases[name] ?? Buffer.alloc(0);
    expect(isRefused(bytes)).toBe(true);
  });

  it('and nothing else is thrown, whatever the bytes', () => {
    const valid = opMsg(command, { tail: documentSequence('documents', documents) });
    fc.assert(
      fc.property(fc.nat(valid.length - 17), fc.integer({ min: 0, max: 255 }), (at, byte) => {
        const bytes = Buffer.from(valid);
        bytes[16 + at] = byte;
        isRefused(bytes);
      }),
      { numRuns: 2_000 },
    );
  });
});

/** Anything but the two refusals is thrown on. */
function isRefused(bytes: Buffer): boolean {
  try {
    parseMessage(bytes);
    return false;
  } catch (error) {
    if (error instanceof MalformedFrame || error instanceof MalformedDocument) return true;
    throw error;
  }
}

describe('a reply', () => {
  it('names the request it answers and its own length', () => {
    const request = parseMessage(opMsg(command, { requestId: 41 }));
    const bytes = Buffer.concat(encodeReply(request, 5, Buffer.from(serialize({ ok: 1 }))));
    expect(bytes.readInt32LE(0)).toBe(bytes.length);
    expect(bytes.readInt32LE(4)).toBe(5);
    expect(bytes.readInt32LE(8)).toBe(41);
    expect(bytes.readInt32LE(12)).toBe(2013);
    expect(deserialize(bytes.subarray(21))).toEqual({ ok: 1 });
  });
});
