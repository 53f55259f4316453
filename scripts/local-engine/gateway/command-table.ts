/** Every command the gateway knows; any other is refused with CommandNotFound. */
import { collectionOf, type Command } from './commands.ts';
import { firstPage, getMore, killCursors } from './cursor-commands.ts';
import { bytesAt, callFunction, withSession, type Handler } from './engine-calls.ts';
import { explain } from './explain.ts';
import { createIndexes, dropIndexes } from './index-commands.ts';
import { CommandError, encode, repairWriteErrors } from './replies.ts';
import { acknowledge, buildInfo, hello, serverStatus } from './server-commands.ts';
import type { Parameter, Statement } from './sessions.ts';

const BSON = 'bytea::documentdb_core.bson';

/** A command whose answer is the result of one function of the extension. */
function call(
  name: string,
  result: string,
  parameters: (command: Command) => Parameter[],
): Handler {
  const statement: Statement = { name, text: `SELECT ${result}` };
  return (command, context) => callFunction(context, command, statement, parameters(command));
}

const withBody = (command: Command): Parameter[] => [command.database, command.body];

function write(functionName: string): Handler {
  const statement: Statement = {
    name: functionName,
    text: `SELECT p_result::bytea FROM documentdb_api.${functionName}(
      $1, $2::${BSON}, $3::bytea::documentdb_core.bsonsequence)`,
  };
  return async (command, context) => {
    const { database, body, documents } = command;
    const reply = await callFunction(context, command, statement, [database, body, documents]);
    return repairWriteErrors(reply);
  };
}

function query(functionName: string): Handler {
  return call(
    functionName,
    `document::bytea FROM documentdb_api.${functionName}($1, $2::${BSON})`,
    withBody,
  );
}

const findAndModify = call(
  'findAndModify',
  `p_result::bytea FROM documentdb_api.find_and_modify($1, $2::${BSON})`,
  withBody,
);

const drop: Handler = async (command, context) => {
  const collection = collectionOf(command);
  await withSession(context, command.maxTimeMs, (session) =>
    session.run({ name: 'drop', text: 'SELECT documentdb_api.drop_collection($1, $2)' }, [
      command.database,
      collection,
    ]),
  );
  return encode({ ns: `${command.database}.${collection}`, ok: 1 });
};

const dropDatabase: Handler = async (command, context) => {
  await withSession(context, command.maxTimeMs, (session) =>
    session.run({ name: 'dropDatabase', text: 'SELECT documentdb_api.drop_database($1)' }, [
      command.database,
    ]),
  );
  return encode({ dropped: command.database, ok: 1 });
};

const collStats: Handler = async (command, context) => {
  const rows = await withSession(context, command.maxTimeMs, (session) =>
    session.run({ name: 'collStats', text: 'SELECT documentdb_api.coll_stats($1, $2, 1)::bytea' }, [
      command.database,
      collectionOf(command),
    ]),
  );
  return bytesAt(rows, 0);
};

const HANDLERS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ['aggregate', firstPage('aggregate_cursor_first_page')],
  ['buildInfo', buildInfo],
  ['buildinfo', buildInfo],
  [
    'collMod',
    call('collMod', `documentdb_api.coll_mod($1, $2, $3::${BSON})::bytea`, (command) => [
      command.database,
      collectionOf(command),
      command.body,
    ]),
  ],
  ['collStats', collStats],
  ['count', query('count_query')],
  [
    'create',
    call('create', `documentdb_api.create_collection_view($1, $2::${BSON})::bytea`, withBody),
  ],
  ['createIndexes', createIndexes],
  [
    'currentOp',
    call(
      'currentOp',
      `document::bytea FROM documentdb_api.current_op_command($1::${BSON})`,
      (c) => [c.body],
    ),
  ],
  ['dbStats', call('dbStats', 'documentdb_api.db_stats($1, 1, false)::bytea', (c) => [c.database])],
  ['delete', write('delete')],
  ['distinct', query('distinct_query')],
  ['drop', drop],
  ['dropDatabase', dropDatabase],
  ['dropIndexes', dropIndexes],
  ['endSessions', acknowledge],
  ['explain', explain],
  ['find', firstPage('find_cursor_first_page')],
  ['findAndModify', findAndModify],
  ['findandmodify', findAndModify],
  ['getMore', getMore],
  ['hello', hello],
  ['insert', write('insert')],
  ['isMaster', hello],
  ['ismaster', hello],
  ['killCursors', killCursors],
  ['listCollections', firstPage('list_collections_cursor_first_page')],
  [
    'listDatabases',
    call('listDatabases', `documentdb_api.list_databases($1::${BSON})::bytea`, (c) => [c.body]),
  ],
  ['listIndexes', firstPage('list_indexes_cursor_first_page')],
  ['ping', acknowledge],
  [
    'renameCollection',
    call('renameCollection', `documentdb_api.rename_collection($1::${BSON})::bytea`, (c) => [
      c.body,
    ]),
  ],
  ['serverStatus', serverStatus],
  ['update', write('update')],
  ['validate', query('validate')],
]);

/** The handler of a command; throws CommandNotFound for one that isn't in the table. */
export function handlerOf(command: Command): Handler {
  const handler = HANDLERS.get(command.name);
  if (handler === undefined) {
    throw new CommandError(59, 'CommandNotFound', `no such command: '${command.name}'`);
  }
  return handler;
}
