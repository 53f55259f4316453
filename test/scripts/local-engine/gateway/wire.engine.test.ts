import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { deserialize, type Document } from 'bson';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { createFrameReader } from '../../../../scripts/local-engine/gateway/frames.ts';
import { useDatabase } from '../../../support/database.ts';
import { isDocumentDb } from './documentdb.ts';
import { documentSequence, int32, message, opMsg } from './wire-messages.ts';

const { db, name } = useDatabase();
const sockets: Socket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

async function open(): Promise<Socket> {
  const { hostname, port } = new URL(inject('engine').uri);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

/** The next `count` replies on a socket: the request each answers, and its document. */
async function replies(socket: Socket, count: number): Promise<[number, Document][]> {
  const read = createFrameReader();
  const found: [number, Document][] = [];
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    if (!Buffer.isBuffer(chunk)) throw new Error('no bytes');
    for (const reply of read(chunk)) {
      found.push([reply.readInt32LE(8), deserialize(reply.subarray(21))]);
    }
    if (found.length >= count) break;
  }
  return found;
}

async function closed(socket: Socket): Promise<void> {
  socket.resume();
  socket.on('error', () => undefined);
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
}

describe.runIf(isDocumentDb)('the gateway', () => {
  it('answers a command that comes in two packets, whatever the split', async () => {
    const socket = await open();
    const ping = opMsg({ ping: 1, $db: 'admin' }, { requestId: 3 });
    for (let at = 1; at < ping.length; at += 1) {
      socket.write(ping.subarray(0, at));
      // The reader must see two packets: the second leaves in a later turn of the event loop.
      await new Promise((resolve) => setImmediate(resolve));
      socket.write(ping.subarray(at));
      expect(await replies(socket, 1)).toEqual([[3, { ok: 1 }]]);
    }
  });

  it('answers several commands of one packet in their order', async () => {
    const socket = await open();
    const insert = (requestId: number, _id: number) =>
      opMsg(
        { insert: 'packet', $db: name },
        { requestId, tail: documentSequence('documents', [{ _id }]) },
      );
    const count = opMsg(
      { count: 'packet', query: { _id: { $gt: 0 } }, $db: name },
      { requestId: 13 },
    );
    socket.write(Buffer.concat([insert(11, 1), insert(12, 2), count]));
    expect(await replies(socket, 3)).toEqual([
      [11, { n: 1, ok: 1 }],
      [12, { n: 1, ok: 1 }],
      [13, { n: 2, ok: 1 }],
    ]);
  });

  it('carries out a command whose sender has more to come, without a reply', async () => {
    const socket = await open();
    const insert = opMsg(
      { insert: 'silent', documents: [{ _id: 1 }], writeConcern: { w: 0 }, $db: name },
      { requestId: 21, flags: 2 },
    );
    const ping = opMsg({ ping: 1, $db: name }, { requestId: 22 });
    socket.write(Buffer.concat([insert, ping]));
    expect(await replies(socket, 1)).toEqual([[22, { ok: 1 }]]);
    expect(await db.collection('silent').countDocuments()).toBe(1);
  });

  it.each<[string, Buffer]>([
    ['length below the header', int32(15)],
    ['negative length', int32(-1)],
    ['length over 48 MB', int32(48_000_001)],
    ['unknown opcode', opMsg({ ping: 1, $db: 'admin' }, { opcode: 2012 })],
    ['unknown section', message(2013, 1, [int32(0), Buffer.from([9]), Buffer.alloc(20)])],
    ['truncated document', message(2013, 1, [int32(0), Buffer.from([0]), int32(500)])],
    [
      'document with a wrong element',
      message(2013, 1, [
        int32(0),
        Buffer.from([0]),
        int32(12),
        Buffer.from([0x55, 0x61, 0, 1, 1, 1, 1, 0]),
      ]),
    ],
  ])('closes the connection on a %s, and serves the others', async (_, bytes) => {
    const socket = await open();
    socket.write(bytes);
    await closed(socket);
    expect(await db.command({ ping: 1 })).toMatchObject({ ok: 1 });
  });

  it('refuses a command without a database, and goes on', async () => {
    const socket = await open();
    socket.write(opMsg({ find: 'x' }, { requestId: 31 }));
    expect(await replies(socket, 1)).toMatchObject([[31, { ok: 0, code: 40571 }]]);
    socket.write(opMsg({ ping: 1, $db: 'x' }, { requestId: 32 }));
    expect(await replies(socket, 1)).toEqual([[32, { ok: 1 }]]);
  });
});
