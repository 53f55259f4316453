/** Answer documents, and the repair of the codes inside the engine's own answers. */
import { deserialize, serialize, type Document } from 'bson';
import { DatabaseError } from 'pg';
import { leavesOutcomeUnknown, mongoCode, unpackSqlstate } from './error-codes.ts';
import { readElements } from './raw-document.ts';

/** An error whose meaning is certain: its command was refused or undone, and the client is told. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly code: number;
  readonly codeName: string;

  constructor(code: number, codeName: string, message: string) {
    super(message);
    this.code = code;
    this.codeName = codeName;
  }
}

/** The outcome of a command can't be known: the client's socket is dropped, as a lost answer is. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';
}

export function encode(document: Document): Buffer {
  return Buffer.from(serialize(document, { ignoreUndefined: true }));
}

export function errorReply(error: CommandError): Buffer {
  const { code, codeName, message } = error;
  return encode({ ok: 0, errmsg: message, code, codeName });
}

/** What an error thrown by a PostgreSQL session means; whatever isn't certain is unknown. */
export function asCommandError(error: unknown): CommandError | OutcomeUnknown {
  if (error instanceof CommandError || error instanceof OutcomeUnknown) return error;
  if (!(error instanceof DatabaseError) || error.code === undefined) {
    return new OutcomeUnknown('the database connection failed', { cause: error });
  }
  if (leavesOutcomeUnknown(error.code)) {
    return new OutcomeUnknown(`the database went away (${error.code})`, { cause: error });
  }
  const known = mongoCode(error.code);
  return known === undefined
    ? new CommandError(8, 'UnknownError', `${error.message} (SQLSTATE ${error.code})`)
    : new CommandError(known.code, known.codeName, error.message);
}

/**
 * The engine's answer to a write, with the packed SQLSTATEs in `writeErrors` turned into MongoDB's
 * codes. Throws OutcomeUnknown where one of them says that the server was going away.
 */
export function repairWriteErrors(reply: Buffer): Buffer {
  if (!readElements(reply).some((element) => element.name === 'writeErrors')) return reply;
  const document = deserialize(reply, { promoteValues: true, promoteLongs: false });
  const errors: unknown = document['writeErrors'];
  if (!Array.isArray(errors)) return reply;
  document['writeErrors'] = errors.map(repairWriteError);
  return encode(document);
}

function repairWriteError(entry: unknown): unknown {
  if (typeof entry !== 'object' || entry === null || !('code' in entry)) return entry;
  if (typeof entry.code !== 'number') return entry;
  const sqlstate = unpackSqlstate(entry.code);
  if (sqlstate === undefined) return entry;
  if (leavesOutcomeUnknown(sqlstate)) {
    throw new OutcomeUnknown(`the database went away (${sqlstate})`);
  }
  return { ...entry, code: mongoCode(sqlstate)?.code ?? entry.code };
}
