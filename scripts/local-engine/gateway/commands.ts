/** A driver's command taken apart: what the gateway needs of it, and what the engine is to see. */
import {
  numberValue,
  readElements,
  stringValue,
  withoutFields,
  type RawElement,
} from './raw-document.ts';
import { CommandError } from './replies.ts';
import type { Request } from './messages.ts';

/** Fields of the conversation between driver and server, which DocumentDB's functions don't take. */
const CONVERSATION_FIELDS: ReadonlySet<string> = new Set([
  '$db',
  '$clusterTime',
  '$configServerState',
  '$readPreference',
  'apiDeprecationErrors',
  'apiStrict',
  'apiVersion',
  'lsid',
  'maxTimeMS',
  'readConcern',
  'txnNumber',
  'writeConcern',
]);

export interface Command {
  readonly name: string;
  readonly database: string;
  /** The command as the engine is to see it. */
  readonly body: Buffer;
  readonly documents: Buffer | null;
  /** 0 where the client set no limit. */
  readonly maxTimeMs: number;
  readonly element: (name: string) => RawElement | undefined;
  /** The bytes that `element` points into. */
  readonly source: Buffer;
}

/** Reads a request's command; throws a CommandError for one that can't be run as asked. */
export function readCommand(request: Request): Command {
  const source = request.body;
  const elements = readElements(source);
  const first = elements[0];
  if (first === undefined) throw new CommandError(40415, 'Location40415', 'Empty command');
  const byName = new Map(elements.map((element) => [element.name, element]));
  refuseTransaction(byName);
  return {
    name: first.name,
    database: databaseOf(request, byName),
    body: withoutFields(source, elements, CONVERSATION_FIELDS),
    documents: request.sequence ?? null,
    maxTimeMs: maxTimeOf(source, byName.get('maxTimeMS')),
    element: (name) => byName.get(name),
    source,
  };
}

function refuseTransaction(elements: ReadonlyMap<string, RawElement>): void {
  if (!elements.has('startTransaction') && !elements.has('autocommit')) return;
  throw new CommandError(20, 'IllegalOperation', 'This server has no transactions');
}

function databaseOf(request: Request, elements: ReadonlyMap<string, RawElement>): string {
  if (request.kind === 'query') return 'admin';
  const element = elements.get('$db');
  const name = element === undefined ? undefined : stringValue(request.body, element);
  if (name === undefined || name === '') {
    throw new CommandError(40571, 'Location40571', 'OP_MSG requests require a $db argument');
  }
  return name;
}

function maxTimeOf(source: Buffer, element: RawElement | undefined): number {
  if (element === undefined) return 0;
  const ms = numberValue(source, element);
  const largest = 2 ** 31 - 1;
  if (ms === undefined || !Number.isInteger(ms) || ms < 0 || ms > largest) {
    throw new CommandError(2, 'BadValue', 'maxTimeMS must be an integer from 0 to 2^31 - 1');
  }
  return ms;
}

/** The collection that the command names as its first value. */
export function collectionOf(command: Command): string {
  const element = command.element(command.name);
  const name = element === undefined ? undefined : stringValue(command.source, element);
  if (name === undefined || name === '') {
    throw new CommandError(73, 'InvalidNamespace', `${command.name} needs a collection name`);
  }
  return name;
}
