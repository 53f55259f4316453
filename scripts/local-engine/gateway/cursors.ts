/**
 * Open cursors.
 *
 * 1. A cursor is its continuation: any session can go on with it, from any client connection, as
 *    drivers expect.
 * 2. Where the engine keeps the rows in a portal (`persistconnection`), the cursor holds its session
 *    until it is drained, killed or expired; the session is then closed, and the portal with it.
 * 3. One page at a time: a second getMore meanwhile is refused with CursorInUse.
 */
import { CommandError } from './replies.ts';
import type { Session } from './sessions.ts';

export interface Cursor {
  readonly id: bigint;
  readonly database: string;
  readonly maxTimeMs: number;
  readonly session: Session | undefined;
  continuation: Buffer;
}

export interface CursorTable {
  add(cursor: Cursor): void;
  /** Lends a cursor to one getMore; throws CursorNotFound or CursorInUse. */
  borrow(id: bigint): Cursor;
  giveBack(cursor: Cursor): void;
  /** Forgets a cursor; false where there is none. */
  remove(id: bigint): boolean;
  close(): void;
}

const IDLE_LIMIT_MS = 10 * 60_000;
const SWEEP_EVERY_MS = 60_000;

interface Entry {
  readonly cursor: Cursor;
  inUse: boolean;
  lastUsedMs: number;
}

/** A table in which at most `maxPinned` cursors hold a session; the longest idle one makes room. */
export function createCursorTable(maxPinned: number): CursorTable {
  const entries = new Map<bigint, Entry>();

  const remove = (id: bigint): boolean => {
    const entry = entries.get(id);
    if (entry === undefined) return false;
    entries.delete(id);
    entry.cursor.session?.discard();
    return true;
  };
  const makeRoom = (): void => {
    const pinned = [...entries.values()].filter((entry) => entry.cursor.session !== undefined);
    if (pinned.length < maxPinned) return;
    const idle = pinned.filter((entry) => !entry.inUse);
    const oldest = idle.toSorted((a, b) => a.lastUsedMs - b.lastUsedMs)[0];
    if (oldest !== undefined) remove(oldest.cursor.id);
  };
  const sweep = setInterval(() => {
    for (const { cursor, inUse, lastUsedMs } of entries.values()) {
      if (!inUse && performance.now() - lastUsedMs > IDLE_LIMIT_MS) remove(cursor.id);
    }
  }, SWEEP_EVERY_MS).unref();

  return {
    add: (cursor) => {
      if (cursor.session !== undefined) makeRoom();
      entries.set(cursor.id, { cursor, inUse: false, lastUsedMs: performance.now() });
    },
    borrow: (id) => {
      const entry = entries.get(id);
      if (entry === undefined) {
        throw new CommandError(43, 'CursorNotFound', `cursor id ${String(id)} not found`);
      }
      if (entry.inUse) {
        throw new CommandError(143, 'CursorInUse', `cursor id ${String(id)} is already in use`);
      }
      entry.inUse = true;
      return entry.cursor;
    },
    giveBack: (cursor) => {
      const entry = entries.get(cursor.id);
      if (entry === undefined) return;
      entry.inUse = false;
      entry.lastUsedMs = performance.now();
    },
    remove,
    close: () => {
      clearInterval(sweep);
      for (const id of [...entries.keys()]) remove(id);
    },
  };
}
