/** Runs statements on pooled sessions for one client's commands. */
import type { Command } from './commands.ts';
import type { CursorTable } from './cursors.ts';
import { OutcomeUnknown } from './replies.ts';
import type { Parameter, Row, Session, SessionPool, Statement } from './sessions.ts';

/** What a command's handler works with: one client's view of the engine. */
export interface ClientContext {
  readonly connectionId: number;
  readonly pool: SessionPool;
  readonly cursors: CursorTable;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
}

export type Handler = (command: Command, context: ClientContext) => Promise<Buffer>;

/** Lends a session to `use`; a client that goes away ends the session and what runs on it. */
export async function withSession<Result>(
  { pool, signal }: ClientContext,
  maxTimeMs: number,
  use: (session: Session) => Promise<Result>,
): Promise<Result> {
  const session = await pool.acquire(maxTimeMs, signal);
  try {
    return await abandoning(signal, session, () => use(session));
  } finally {
    pool.release(session);
  }
}

/** Runs `use` and discards the session in the middle of it when the client goes away. */
export async function abandoning<Result>(
  signal: AbortSignal,
  session: Session,
  use: () => Promise<Result>,
): Promise<Result> {
  const abandon = (): void => {
    session.discard();
  };
  if (signal.aborted) throw new OutcomeUnknown('the client went away');
  signal.addEventListener('abort', abandon, { once: true });
  try {
    return await use();
  } finally {
    signal.removeEventListener('abort', abandon);
  }
}

/** The first column of the one row that a function of the extension returns. */
export async function callFunction(
  context: ClientContext,
  command: Command,
  statement: Statement,
  parameters: readonly Parameter[],
): Promise<Buffer> {
  const rows = await withSession(context, command.maxTimeMs, (session) =>
    session.run(statement, parameters),
  );
  return bytesAt(rows, 0);
}

/** A `bytea` column of the only row. */
export function bytesAt(rows: readonly Row[], column: number): Buffer {
  const value = rows[0]?.[column];
  if (!Buffer.isBuffer(value)) throw new OutcomeUnknown('the engine answered without a document');
  return value;
}
