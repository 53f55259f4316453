/**
 * Index builds. The engine lists an index on an existing collection at once and builds it later in a
 * background job, where it can fail. The gateway runs that job itself, so that nobody waits for its
 * schedule, and answers with the build's outcome.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { deserialize } from 'bson';
import { bytesAt, withSession, type ClientContext, type Handler } from './engine-calls.ts';
import { mongoCode, unpackSqlstate } from './error-codes.ts';
import { readElements } from './raw-document.ts';
import { encode, OutcomeUnknown } from './replies.ts';
import type { Statement } from './sessions.ts';

const POLL_EVERY_MS = 50;

const CREATE_INDEXES: Statement = {
  name: 'createIndexes',
  text: `SELECT retval::bytea, ok, requests::bytea
    FROM documentdb_api.create_indexes_background($1, $2::bytea::documentdb_core.bson)`,
};

const BUILD_STATUS: Statement = {
  name: 'buildStatus',
  text: `SELECT retval::bytea, ok, complete
    FROM documentdb_api_internal.check_build_index_status($1::bytea::documentdb_core.bson)`,
};

const BUILD_NEXT: Statement = {
  name: 'buildNext',
  text: 'CALL documentdb_api_internal.build_index_concurrently(1)',
};

const DROP_INDEXES: Statement = {
  name: 'dropIndexes',
  text: 'CALL documentdb_api.drop_indexes($1, $2::bytea::documentdb_core.bson)',
};

export const createIndexes: Handler = async (command, context) => {
  const rows = await withSession(context, command.maxTimeMs, (session) =>
    session.run(CREATE_INDEXES, [command.database, command.body]),
  );
  const answer = bytesAt(rows, 0);
  const isAccepted = rows[0]?.[1] === true;
  const requests = rows[0]?.[2];
  const isBuilt = !Buffer.isBuffer(requests) || readElements(requests).length === 0;
  if (!isAccepted || isBuilt) return flatten(answer);
  const failure = await buildFailure(requests, context, command.maxTimeMs);
  return flatten(failure ?? answer);
};

async function buildFailure(
  requests: Buffer,
  context: ClientContext,
  maxTimeMs: number,
): Promise<Buffer | undefined> {
  for (;;) {
    const rows = await withSession(context, maxTimeMs, async (session) => {
      await session.run(BUILD_NEXT, []);
      return session.run(BUILD_STATUS, [requests]);
    });
    const [, isOk, isComplete] = rows[0] ?? [];
    if (isOk !== true) return bytesAt(rows, 0);
    if (isComplete === true) return undefined;
    await delay(POLL_EVERY_MS, undefined, { signal: context.signal });
  }
}

/** The engine answers a shard at a time; a standalone server answers for itself. */
function flatten(answer: Buffer): Buffer {
  const shards: unknown = deserialize(answer)['raw'];
  if (typeof shards !== 'object' || shards === null) return answer;
  const own: unknown = Object.values<unknown>({ ...shards })[0];
  if (typeof own !== 'object' || own === null) return answer;
  if (!('code' in own) || typeof own.code !== 'number') return encode(own);
  const sqlstate = unpackSqlstate(own.code);
  const known = sqlstate === undefined ? undefined : mongoCode(sqlstate);
  return encode({ ...own, ...known });
}

export const dropIndexes: Handler = async (command, context) => {
  const rows = await withSession(context, command.maxTimeMs, (session) =>
    session.run(DROP_INDEXES, [command.database, command.body]),
  );
  // A procedure's result can't be cast, so it comes as the type's text.
  const text = rows[0]?.[0];
  const prefix = 'BSONHEX';
  if (typeof text !== 'string' || !text.startsWith(prefix)) {
    throw new OutcomeUnknown('the engine answered without a document');
  }
  return encode({ ...deserialize(Buffer.from(text.slice(prefix.length), 'hex')), ok: 1 });
};
