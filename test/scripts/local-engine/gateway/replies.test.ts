import { deserialize } from 'bson';
import { DatabaseError } from 'pg';
import { describe, expect, it } from 'vitest';
import {
  leavesOutcomeUnknown,
  mongoCode,
  packSqlstate,
  unpackSqlstate,
} from '../../../../scripts/local-engine/gateway/error-codes.ts';
import {
  asCommandError,
  CommandError,
  encode,
  OutcomeUnknown,
  repairWriteErrors,
} from '../../../../scripts/local-engine/gateway/replies.ts';

function databaseError(sqlstate: string): DatabaseError {
  const error = new DatabaseError('it failed', 0, 'error');
  error.code = sqlstate;
  return error;
}

describe('a SQLSTATE', () => {
  it('packs as PostgreSQL packs it', () => {
    expect(packSqlstate('40001')).toBe(16_777_220);
    expect(packSqlstate('40P01')).toBe(16_908_292);
    expect(packSqlstate('57014')).toBe(67_371_461);
    expect(packSqlstate('M001C')).toBe(319_029_277);
  });

  it('is found again in its packed form, and a code of MongoDB is left alone', () => {
    expect(unpackSqlstate(319_029_277)).toBe('M001C');
    expect(unpackSqlstate(16_908_292)).toBe('40P01');
    expect(unpackSqlstate(11_000)).toBeUndefined();
    expect(unpackSqlstate(112)).toBeUndefined();
  });

  it.each([
    ['M001C', 11000],
    ['23505', 11000],
    ['23P01', 11000],
    ['40001', 112],
    ['40P01', 112],
    ['57014', 50],
    ['M00CO', 121],
    ['M00EY', 59],
  ])('%s means %d', (sqlstate, code) => {
    expect(mongoCode(sqlstate)?.code).toBe(code);
  });
});

describe('an error of the engine', () => {
  it('is told to the client when its meaning is certain', () => {
    const known = asCommandError(databaseError('40P01'));
    expect(known).toBeInstanceOf(CommandError);
    expect(known).toMatchObject({ code: 112, codeName: 'WriteConflict' });
    expect(asCommandError(databaseError('XX000'))).toMatchObject({ code: 8 });
  });

  it.each(['57P01', '57P02', '57P03', '08006', '08003'])(
    'drops the client when it is %s: the outcome is unknown',
    (sqlstate) => {
      expect(leavesOutcomeUnknown(sqlstate)).toBe(true);
      expect(asCommandError(databaseError(sqlstate))).toBeInstanceOf(OutcomeUnknown);
    },
  );

  it('drops the client when the connection broke', () => {
    expect(asCommandError(new Error('Connection terminated'))).toBeInstanceOf(OutcomeUnknown);
  });
});

describe('the errors of a batch', () => {
  const reply = (code: number) =>
    encode({ n: 1, ok: 1, writeErrors: [{ index: 3, code, errmsg: 'no' }] });

  it('get the codes that drivers know', () => {
    expect(deserialize(repairWriteErrors(reply(319_029_277)))).toEqual({
      n: 1,
      ok: 1,
      writeErrors: [{ index: 3, code: 11_000, errmsg: 'no' }],
    });
  });

  it('are left as they are when they have them already', () => {
    expect(repairWriteErrors(reply(11_000))).toEqual(reply(11_000));
  });

  it('drop the client when one of them is the server going away', () => {
    expect(() => repairWriteErrors(reply(packSqlstate('57P01')))).toThrow(OutcomeUnknown);
  });
});
