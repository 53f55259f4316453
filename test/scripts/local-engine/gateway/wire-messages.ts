/** Wire messages made by hand, so that tests don't trust the code they test. */
import { serialize, type Document } from 'bson';

export interface MessageOptions {
  readonly requestId?: number;
  readonly flags?: number;
  readonly opcode?: number;
  /** Bytes after the command document: more sections, or a checksum. */
  readonly tail?: Buffer;
}

export function opMsg(command: Document, options: MessageOptions = {}): Buffer {
  const { requestId = 1, flags = 0, opcode = 2013, tail = Buffer.alloc(0) } = options;
  return message(opcode, requestId, [
    int32(flags),
    Buffer.from([0]),
    Buffer.from(serialize(command)),
    tail,
  ]);
}

export function documentSequence(name: string, documents: readonly Document[]): Buffer {
  const content = Buffer.concat([
    Buffer.from(`${name}\0`),
    ...documents.map((document) => Buffer.from(serialize(document))),
  ]);
  return Buffer.concat([Buffer.from([1]), int32(content.length + 4), content]);
}

export function message(opcode: number, requestId: number, parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([
    int32(content.length + 16),
    int32(requestId),
    int32(0),
    int32(opcode),
    content,
  ]);
}

export function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value | 0);
  return bytes;
}
