/** What the driver's errors say of the write that they ended. */
import {
  MongoBulkWriteError,
  MongoNetworkError,
  MongoServerError,
  MongoTopologyClosedError,
  MongoWriteConcernError,
} from 'mongodb';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ask, askPlainly, classify } from '../../src/store/store-error.ts';

const server = (code: number): MongoServerError => new MongoServerError({ message: 'x', code });

/** As insertMany throws it; what ended the bulk leaves its message, and a code if it has one. */
function bulk(parts: { readonly code?: number; readonly writeErrors?: readonly object[] }) {
  const result = { insertedCount: 0, matchedCount: 0, modifiedCount: 0, deletedCount: 0 };
  return new MongoBulkWriteError({ message: 'x', ...parts } as never, result as never);
}

function nodeError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

describe('a lost connection', () => {
  it.each<readonly [string, Error]>([
    ['by itself', new MongoNetworkError('connection closed')],
    ['wrapped as the failure of a bulk', bulk({})],
    ['of a closed topology', new MongoTopologyClosedError('Topology is closed')],
    ['as Node has it, reset', nodeError('ECONNRESET')],
    ['as Node has it, ended by the other party', nodeError('EPIPE')],
    ['as Node has it, gone before the write', nodeError('ERR_STREAM_DESTROYED')],
  ])('%s says nothing of the write', (_, error) => {
    expect(classify(error)).toMatchObject({ kind: 'unknown' });
  });
});

describe('an error of the server', () => {
  it.each([50, 64, 91, 189, 10107, 11600, 11602])('%i says nothing of the write', (code) => {
    expect(classify(server(code))).toMatchObject({ kind: 'unknown' });
  });

  it('of a write concern that was not met says nothing of the write', () => {
    const error = new MongoWriteConcernError({
      ok: 1,
      writeConcernError: { code: 100, errmsg: 'not enough members' },
    });
    expect(classify(error)).toMatchObject({ kind: 'unknown' });
  });

  it('112 is a conflict: it was not applied', () => {
    expect(classify(server(112))).toEqual({ kind: 'conflict' });
  });

  it('9 is a conflict where an upsert lost its race to insert, as DocumentDB says it', () => {
    const message = 'The $$NOW operator cannot be used within this specific context.';
    expect(classify(new MongoServerError({ message, code: 9 }))).toEqual({ kind: 'conflict' });
    expect(() => classify(server(9))).toThrow(MongoServerError);
  });

  it('11000 is a duplicate, and tells which documents of a bulk were', () => {
    expect(classify(server(11000))).toEqual({ kind: 'duplicate', indexes: [0] });
    const writeErrors = [
      { code: 11000, index: 1 },
      { code: 11000, index: 4 },
    ];
    expect(classify(bulk({ code: 11000, writeErrors }))).toMatchObject({ kind: 'duplicate' });
  });

  it.each([121, 2, 14])('%i is a defect of the service and is thrown', (code) => {
    expect(() => classify(server(code))).toThrow(MongoServerError);
  });
});

describe('asking', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('has an end where the operation has none: nothing is known of it', async () => {
    vi.useFakeTimers();
    const asked = ask(() => new Promise<never>(() => undefined));
    await vi.runAllTimersAsync();
    expect(await asked).toMatchObject({ kind: 'unknown' });
  });

  it('leaves no timer behind an operation that ended', async () => {
    vi.useFakeTimers();
    await ask(() => Promise.resolve(1));
    expect(vi.getTimerCount()).toBe(0);
  });

  it('throws an error of Node that is no broken connection', () => {
    const defect = nodeError('ERR_INVALID_ARG_TYPE');
    expect(() => classify(defect)).toThrow(defect);
  });

  it('throws what is no error of the database', async () => {
    const defect = new TypeError('a defect');
    await expect(ask(() => Promise.reject(defect))).rejects.toBe(defect);
  });

  it('plainly takes a conflict for unknown: it is asked again', async () => {
    const asked = await askPlainly(() => Promise.reject(server(112)));
    expect(asked).toMatchObject({ kind: 'unknown' });
  });
});
