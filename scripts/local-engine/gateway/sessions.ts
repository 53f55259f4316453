/**
 * PostgreSQL sessions for the gateway's commands.
 *
 * 1. A session runs one statement at a time, for one command; a statement is never sent twice.
 * 2. A session in doubt (connection lost, statement abandoned) is closed, never lent again.
 * 3. `statement_timeout` is a property of the session that lends itself: a session whose limit fits
 *    is preferred, so that a client with one `maxTimeMS` pays for it once.
 */
import { Client } from 'pg';
import { OutcomeUnknown } from './replies.ts';

/** A statement PostgreSQL prepares once a session. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

export type Parameter = string | number | Buffer | null;
export type Row = readonly unknown[];

export interface Session {
  run(statement: Statement, parameters: readonly Parameter[]): Promise<Row[]>;
  /** Ends the session at once; the server cancels what runs on it when it sees the connection gone. */
  discard(): void;
}

export interface SessionPool {
  /** Lends a session whose statements end after `timeoutMs` (0: never), when one is free. */
  acquire(timeoutMs: number, signal: AbortSignal): Promise<Session>;
  release(session: Session): void;
  /** Ends every session, lent ones too. */
  discardAll(): void;
}

interface PooledSession extends Session {
  readonly isUsable: () => boolean;
  readonly timeoutMs: () => number;
  readonly limit: (timeoutMs: number) => Promise<void>;
}

interface Waiter {
  readonly wake: () => void;
}

/** A pool of at most `maxSessions` sessions on the given server. */
export function createSessionPool(postgresUrl: string, maxSessions: number): SessionPool {
  const idle: PooledSession[] = [];
  const all = new Set<PooledSession>();
  const waiters: Waiter[] = [];
  let opening = 0;

  const forget = (session: PooledSession): void => {
    all.delete(session);
    const at = idle.indexOf(session);
    if (at >= 0) idle.splice(at, 1);
    waiters.shift()?.wake();
  };
  const open = async (): Promise<PooledSession> => {
    opening += 1;
    try {
      const session = await openSession(postgresUrl, forget);
      all.add(session);
      return session;
    } catch (error) {
      waiters.shift()?.wake();
      throw error;
    } finally {
      opening -= 1;
    }
  };
  const take = async (timeoutMs: number, signal: AbortSignal): Promise<PooledSession> => {
    for (;;) {
      if (signal.aborted) {
        // A turn that nobody takes goes to the next in line.
        waiters.shift()?.wake();
        throw new OutcomeUnknown('the client went away');
      }
      const fitting = idle.findLastIndex((session) => session.timeoutMs() === timeoutMs);
      const free = fitting < 0 ? idle.pop() : idle.splice(fitting, 1)[0];
      if (free !== undefined) return free;
      if (all.size + opening < maxSessions) return open();
      await turn(waiters, signal);
    }
  };

  return {
    acquire: async (timeoutMs, signal) => {
      const session = await take(timeoutMs, signal);
      await session.limit(timeoutMs);
      return session;
    },
    release: (session) => {
      for (const own of all) {
        if (own !== session || !own.isUsable()) continue;
        idle.push(own);
        waiters.shift()?.wake();
      }
    },
    discardAll: () => {
      for (const session of [...all]) session.discard();
    },
  };
}

function turn(waiters: Waiter[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const leave = (): void => {
      const at = waiters.indexOf(waiter);
      if (at >= 0) waiters.splice(at, 1);
      resolve();
    };
    const waiter: Waiter = {
      wake: () => {
        signal.removeEventListener('abort', leave);
        resolve();
      },
    };
    waiters.push(waiter);
    signal.addEventListener('abort', leave, { once: true });
  });
}

async function openSession(
  postgresUrl: string,
  onGone: (session: PooledSession) => void,
): Promise<PooledSession> {
  const client = new Client({ connectionString: postgresUrl, application_name: 'gateway' });
  let usable = true;
  let limitMs = 0;

  const gone = (): void => {
    if (!usable) return;
    usable = false;
    onGone(session);
  };
  const session: PooledSession = {
    run: async (statement, parameters) => {
      const result = await client.query<unknown[]>({
        ...statement,
        values: [...parameters],
        rowMode: 'array',
      });
      return result.rows;
    },
    discard: () => {
      gone();
      // With a statement running, pg closes the socket instead of waiting for its result.
      void client.end();
    },
    isUsable: () => usable,
    timeoutMs: () => limitMs,
    limit: async (timeoutMs) => {
      if (timeoutMs === limitMs) return;
      try {
        await client.query(`SET statement_timeout = ${timeoutMs}`);
        limitMs = timeoutMs;
      } catch (error) {
        session.discard();
        throw error;
      }
    },
  };
  client.on('error', gone);
  client.on('end', gone);
  await client.connect();
  return session;
}
