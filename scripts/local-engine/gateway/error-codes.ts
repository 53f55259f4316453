/**
 * What PostgreSQL's SQLSTATEs mean to a MongoDB driver. DocumentDB reports an error of MongoDB's as
 * a SQLSTATE of class `M`; inside `writeErrors` a SQLSTATE stands packed into an integer.
 */

export interface MongoCode {
  readonly code: number;
  readonly codeName: string;
}

const DOCUMENTDB_CODES: Readonly<Record<string, readonly [code: number, codeName: string]>> = {
  M0000: [1, 'InternalError'],
  M0001: [2, 'BadValue'],
  M0003: [9, 'FailedToParse'],
  M0004: [14, 'TypeMismatch'],
  M0005: [15, 'Overflow'],
  M0006: [20, 'IllegalOperation'],
  M0008: [26, 'NamespaceNotFound'],
  M0009: [27, 'IndexNotFound'],
  M000A: [28, 'PathNotViable'],
  M000D: [40, 'ConflictingUpdateOperators'],
  M000E: [43, 'CursorNotFound'],
  M000F: [48, 'NamespaceExists'],
  M000G: [52, 'DollarPrefixedFieldName'],
  M000J: [56, 'EmptyFieldName'],
  M000K: [57, 'DottedFieldName'],
  M000L: [61, 'ShardKeyNotFound'],
  M000M: [66, 'ImmutableField'],
  M000N: [67, 'CannotCreateIndex'],
  M000O: [68, 'IndexAlreadyExists'],
  M000P: [72, 'InvalidOptions'],
  M000Q: [73, 'InvalidNamespace'],
  M000R: [85, 'IndexOptionsConflict'],
  M000S: [86, 'IndexKeySpecsConflict'],
  M000U: [115, 'CommandNotSupported'],
  M000W: [146, 'ExceededMemoryLimit'],
  M0015: [241, 'ConversionFailure'],
  M0016: [263, 'OperationNotSupportedInTransaction'],
  M0017: [276, 'IndexBuildAborted'],
  M001B: [10334, 'BsonObjectTooLarge'],
  M001C: [11000, 'DuplicateKey'],
  M003A: [17419, 'DocumentAfterUpdateLargerThanMaxSize'],
  M003B: [17420, 'DocumentToUpsertLargerThanMaxSize'],
  M007U: [40324, 'UnrecognizedCommand'],
  M00CO: [121, 'DocumentFailedValidation'],
  M00DO: [16, 'InvalidLength'],
  M00E7: [42501, 'InsufficientPrivilege'],
  M00E8: [10107, 'NotWritablePrimary'],
  M00EL: [143, 'CursorInUse'],
  M00ER: [13, 'Unauthorized'],
  M00EU: [6, 'HostUnreachable'],
  M00EV: [18, 'AuthenticationFailed'],
  M00EW: [24, 'LockTimeout'],
  M00EX: [50, 'ExceededTimeLimit'],
  M00EY: [59, 'CommandNotFound'],
  M00F0: [91, 'ShutdownInProgress'],
  M00F1: [112, 'WriteConflict'],
  M00F2: [117, 'ConflictingOperationInProgress'],
  M00F4: [201, 'CannotBuildIndexKeys'],
  M00F6: [251, 'NoSuchTransaction'],
  M00FD: [171, 'CannotIndexParallelArrays'],
  M00FE: [176, 'QueryPlanKilled'],
};

const POSTGRES_CODES: Readonly<Record<string, readonly [code: number, codeName: string]>> = {
  '22023': [2, 'BadValue'],
  '23505': [11000, 'DuplicateKey'],
  // A unique index is an exclusion constraint to PostgreSQL.
  '23P01': [11000, 'DuplicateKey'],
  '40001': [112, 'WriteConflict'],
  '40P01': [112, 'WriteConflict'],
  '42501': [13, 'Unauthorized'],
  '53100': [14031, 'OutOfDiskSpace'],
  '54000': [146, 'ExceededMemoryLimit'],
  '55P03': [24, 'LockTimeout'],
  '57014': [50, 'MaxTimeMSExpired'],
};

const BY_SQLSTATE: ReadonlyMap<string, MongoCode> = new Map(
  [...Object.entries(DOCUMENTDB_CODES), ...Object.entries(POSTGRES_CODES)].map(
    ([sqlstate, [code, codeName]]) => [sqlstate, { code, codeName }],
  ),
);

const SQLSTATE_BY_PACKED: ReadonlyMap<number, string> = new Map(
  [...BY_SQLSTATE.keys(), '57P01', '57P02', '57P03'].map((state) => [packSqlstate(state), state]),
);

/** The integer PostgreSQL makes of a SQLSTATE: six bits a character, the first one lowest. */
export function packSqlstate(sqlstate: string): number {
  return Array.from(
    sqlstate,
    (character, index) => ((character.charCodeAt(0) - 48) & 0x3f) << (6 * index),
  ).reduce((packed, bits) => packed + bits, 0);
}

/** The code and name a driver knows this SQLSTATE by, or undefined where there is none. */
export function mongoCode(sqlstate: string): MongoCode | undefined {
  return BY_SQLSTATE.get(sqlstate);
}

/** The SQLSTATE inside a `writeErrors` code, or undefined where the code is MongoDB's own already. */
export function unpackSqlstate(code: number): string | undefined {
  return SQLSTATE_BY_PACKED.get(code);
}

/**
 * True for errors by which the server takes its leave in the middle of a statement. Whether the
 * statement was applied is then unknown, and an error document would claim to know.
 */
export function leavesOutcomeUnknown(sqlstate: string): boolean {
  return sqlstate.startsWith('08') || /^57P0[1-5]$/.test(sqlstate);
}
