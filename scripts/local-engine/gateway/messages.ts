/**
 * The two messages a driver sends, `OP_MSG` and the `OP_QUERY` of its first hello, and their answers.
 */
import { HEADER_BYTES, MalformedFrame } from './frames.ts';
import { documentLength } from './raw-document.ts';

const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;

const CHECKSUM_PRESENT = 1 << 0;
const MORE_TO_COME = 1 << 1;
/** Bits 0–15 must be understood by whoever reads the message; the others may be ignored. */
const REQUIRED_BITS = 0xffff;
const KNOWN_REQUIRED_BITS = CHECKSUM_PRESENT | MORE_TO_COME;

/** What a driver asks: a command document and perhaps a sequence of documents beside it. */
export interface Request {
  readonly kind: 'msg' | 'query';
  readonly requestId: number;
  readonly body: Buffer;
  /** The documents of the first kind-1 section, end to end; no command here takes two. */
  readonly sequence: Buffer | undefined;
  /** False where the sender set moreToCome: an answer would be read as that of its next command. */
  readonly wantsReply: boolean;
}

/** Reads one whole message; throws MalformedFrame or MalformedDocument. */
export function parseMessage(message: Buffer): Request {
  const opcode = message.readInt32LE(12);
  switch (opcode) {
    case OP_MSG:
      return parseMsg(message);
    case OP_QUERY:
      return parseQuery(message);
    default:
      throw new MalformedFrame(`unknown opcode ${opcode}`);
  }
}

function parseMsg(message: Buffer): Request {
  if (message.length < HEADER_BYTES + 5) throw new MalformedFrame('message is cut short');
  const flags = message.readUInt32LE(HEADER_BYTES);
  if ((flags & REQUIRED_BITS & ~KNOWN_REQUIRED_BITS) !== 0) {
    throw new MalformedFrame(`unknown flags ${flags}`);
  }
  const end = message.length - ((flags & CHECKSUM_PRESENT) === 0 ? 0 : 4);
  const sections = parseSections(message.subarray(HEADER_BYTES + 4, end));
  return {
    kind: 'msg',
    requestId: message.readInt32LE(4),
    ...sections,
    wantsReply: (flags & MORE_TO_COME) === 0,
  };
}

function parseSections(bytes: Buffer): Pick<Request, 'body' | 'sequence'> {
  let body: Buffer | undefined;
  let sequence: Buffer | undefined;
  let at = 0;
  while (at < bytes.length) {
    const kind = bytes[at];
    const from = at + 1;
    if (kind === 0) {
      if (body !== undefined) throw new MalformedFrame('two command documents');
      body = bytes.subarray(from, from + documentLength(bytes, from));
      at = from + body.length;
    } else if (kind === 1) {
      const end = from + sectionSize(bytes, from);
      const documents = parseSequence(bytes.subarray(from, end));
      sequence ??= documents;
      at = end;
    } else {
      throw new MalformedFrame(`unknown section kind ${String(kind)}`);
    }
  }
  if (body === undefined) throw new MalformedFrame('no command document');
  return { body, sequence };
}

function sectionSize(bytes: Buffer, from: number): number {
  if (from + 4 > bytes.length) throw new MalformedFrame('section is cut short');
  const size = bytes.readInt32LE(from);
  if (size < 5 || from + size > bytes.length) {
    throw new MalformedFrame(`section claims ${size} bytes`);
  }
  return size;
}

function parseSequence(section: Buffer): Buffer {
  const nameEnd = section.indexOf(0, 4);
  if (nameEnd < 0) throw new MalformedFrame('section name has no end');
  const documents = section.subarray(nameEnd + 1);
  let at = 0;
  while (at < documents.length) at += documentLength(documents, at);
  return documents;
}

function parseQuery(message: Buffer): Request {
  const nameEnd = message.indexOf(0, HEADER_BYTES + 4);
  if (nameEnd < 0) throw new MalformedFrame('collection name has no end');
  const name = message.toString('utf8', HEADER_BYTES + 4, nameEnd);
  if (!name.endsWith('.$cmd')) throw new MalformedFrame('OP_QUERY carries commands only');
  const from = nameEnd + 1 + 8;
  const body = message.subarray(from, from + documentLength(message, from));
  return {
    kind: 'query',
    requestId: message.readInt32LE(4),
    body,
    sequence: undefined,
    wantsReply: true,
  };
}

/** The answer to a request, as the message its sender expects. */
export function encodeReply(request: Request, responseId: number, document: Buffer): Buffer[] {
  const head = request.kind === 'msg' ? msgHead() : replyHead();
  head.writeInt32LE(head.length + document.length, 0);
  head.writeInt32LE(responseId, 4);
  head.writeInt32LE(request.requestId, 8);
  return [head, document];
}

function msgHead(): Buffer {
  const head = Buffer.alloc(HEADER_BYTES + 5);
  head.writeInt32LE(OP_MSG, 12);
  return head;
}

function replyHead(): Buffer {
  const head = Buffer.alloc(HEADER_BYTES + 20);
  const awaitCapable = 8;
  head.writeInt32LE(OP_REPLY, 12);
  head.writeInt32LE(awaitCapable, 16);
  head.writeInt32LE(1, 32);
  return head;
}
