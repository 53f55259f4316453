/** Commands the gateway answers itself, about itself. */
import os from 'node:os';
import { MAX_MESSAGE_BYTES } from './frames.ts';
import type { Handler } from './engine-calls.ts';
import { encode } from './replies.ts';

/** Wire version 21 is MongoDB 7.0's: the newest whose commands DocumentDB 1.0 covers. */
const MAX_WIRE_VERSION = 21;
const MONGODB_VERSION = '7.0.0';
const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;
/** The extension's own bound, `documentdb.maxWriteBatchSize`. */
const MAX_WRITE_BATCH = 25_000;

/** Answers as a standalone, so that no driver tries transactions or retryable writes. */
export const hello: Handler = (command, { connectionId }) =>
  Promise.resolve(
    encode({
      ...(command.name === 'hello' ? { isWritablePrimary: true } : { ismaster: true }),
      helloOk: true,
      maxBsonObjectSize: MAX_DOCUMENT_BYTES,
      maxMessageSizeBytes: MAX_MESSAGE_BYTES,
      maxWriteBatchSize: MAX_WRITE_BATCH,
      localTime: new Date(),
      logicalSessionTimeoutMinutes: 30,
      connectionId,
      minWireVersion: 0,
      maxWireVersion: MAX_WIRE_VERSION,
      readOnly: false,
      ok: 1,
    }),
  );

export const acknowledge: Handler = () => Promise.resolve(encode({ ok: 1 }));

export const buildInfo: Handler = () =>
  Promise.resolve(
    encode({
      version: MONGODB_VERSION,
      versionArray: [7, 0, 0, 0],
      gitVersion: 'documentdb',
      modules: ['documentdb'],
      bits: 64,
      debug: false,
      maxBsonObjectSize: MAX_DOCUMENT_BYTES,
      ok: 1,
    }),
  );

export const serverStatus: Handler = () =>
  Promise.resolve(
    encode({
      host: os.hostname(),
      version: MONGODB_VERSION,
      process: 'mongod',
      pid: process.pid,
      uptime: Math.floor(process.uptime()),
      localTime: new Date(),
      ok: 1,
    }),
  );
