/** Commands that open cursors, read on from them, and kill them. */
import { deserialize } from 'bson';
import type { Command } from './commands.ts';
import type { Cursor } from './cursors.ts';
import {
  abandoning,
  bytesAt,
  withSession,
  type ClientContext,
  type Handler,
} from './engine-calls.ts';
import { bigintValue } from './raw-document.ts';
import { CommandError, encode, OutcomeUnknown } from './replies.ts';
import type { Row, Session, Statement } from './sessions.ts';

const GET_MORE: Statement = {
  name: 'getMore',
  text: `SELECT cursorpage::bytea, continuation::bytea
    FROM documentdb_api.cursor_get_more(
      $1, $2::bytea::documentdb_core.bson, $3::bytea::documentdb_core.bson)`,
};

/** A command answered with the first page of a cursor. */
export function firstPage(functionName: string): Handler {
  const statement: Statement = {
    name: functionName,
    text: `SELECT cursorpage::bytea, continuation::bytea, persistconnection, cursorid::text
      FROM documentdb_api.${functionName}($1, $2::bytea::documentdb_core.bson)`,
  };
  return async (command, context) => {
    const session = await context.pool.acquire(command.maxTimeMs, context.signal);
    let isPinned = false;
    try {
      const rows = await abandoning(context.signal, session, () =>
        session.run(statement, [command.database, command.body]),
      );
      const cursor = openedCursor(command, rows, session);
      if (cursor !== undefined) {
        context.cursors.add(cursor);
        isPinned = cursor.session !== undefined;
      }
      return bytesAt(rows, 0);
    } finally {
      if (!isPinned) context.pool.release(session);
    }
  };
}

function openedCursor(
  command: Command,
  rows: readonly Row[],
  session: Session,
): Cursor | undefined {
  const [, continuation, isPersistent, idText] = rows[0] ?? [];
  if (typeof idText !== 'string') throw new OutcomeUnknown('the engine answered without a cursor');
  const id = BigInt(idText);
  if (id === 0n || !Buffer.isBuffer(continuation)) return undefined;
  return {
    id,
    database: command.database,
    maxTimeMs: command.maxTimeMs,
    session: isPersistent === true ? session : undefined,
    continuation,
  };
}

/** Reads a cursor's next page; its time limit is the one its first command set. */
export const getMore: Handler = async (command, context) => {
  const element = command.element('getMore');
  const id = element === undefined ? undefined : bigintValue(command.source, element);
  if (id === undefined) throw new CommandError(14, 'TypeMismatch', 'getMore needs a cursor id');
  const cursor = context.cursors.borrow(id);
  let isDrained = true;
  try {
    const rows = await nextPage(command, cursor, context);
    const page = bytesAt(rows, 0);
    const continuation = rows[0]?.[1];
    if (Buffer.isBuffer(continuation)) {
      cursor.continuation = continuation;
      isDrained = false;
    }
    return page;
  } finally {
    if (isDrained) context.cursors.remove(id);
    else context.cursors.giveBack(cursor);
  }
};

function nextPage(command: Command, cursor: Cursor, context: ClientContext): Promise<Row[]> {
  const parameters = [cursor.database, command.body, cursor.continuation];
  const own = cursor.session;
  if (own !== undefined) {
    return abandoning(context.signal, own, () => own.run(GET_MORE, parameters));
  }
  return withSession(context, cursor.maxTimeMs, (session) => session.run(GET_MORE, parameters));
}

export const killCursors: Handler = (command, { cursors }) => {
  const document = deserialize(command.body, { useBigInt64: true });
  const asked: unknown = document['cursors'];
  if (!Array.isArray(asked)) {
    throw new CommandError(14, 'TypeMismatch', 'killCursors needs an array of cursor ids');
  }
  const ids = asked.map(cursorId);
  const killed = ids.filter((id) => cursors.remove(id));
  return Promise.resolve(
    encode({
      cursorsKilled: killed,
      cursorsNotFound: ids.filter((id) => !killed.includes(id)),
      cursorsAlive: [],
      cursorsUnknown: [],
      ok: 1,
    }),
  );
};

function cursorId(value: unknown): bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  throw new CommandError(14, 'TypeMismatch', 'a cursor id is a 64-bit integer');
}
