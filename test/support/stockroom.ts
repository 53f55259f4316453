/** The use cases on a real database, without HTTP between: as many processes as a test wants. */
import type { Db } from 'mongodb';
import { afterAll, beforeAll } from 'vitest';
import type { Action } from '../../src/domain/action.ts';
import type { Movement } from '../../src/domain/movement.ts';
import { documentFaults, levelFaults, replay } from '../../src/domain/invariants.ts';
import type { ActionAnswer, Moved } from '../../src/inventory/answer.ts';
import type { CountStore } from '../../src/inventory/count-ports.ts';
import type { RunningInventory } from '../../src/inventory/create-inventory.ts';
import { createInventory } from '../../src/inventory/create-inventory.ts';
import type { Ports } from '../../src/inventory/ports.ts';
import { processTimer } from '../../src/inventory/timer.ts';
import type { Collections, SkuDocument } from '../../src/store/documents.ts';
import { collectionsOf } from '../../src/store/documents.ts';
import type { Store } from '../../src/store/open-store.ts';
import { openStore } from '../../src/store/open-store.ts';
import { action, definition, location, receive, sku } from './actions.ts';
import { useDatabase } from './database.ts';

export interface Stockroom {
  /** For writing past the service, and for looking. */
  readonly collections: Collections;
  readonly db: Db;
  readonly ports: () => Ports;
  readonly counts: () => CountStore;
  /** One more process, on these ports or on the plain ones. */
  readonly process: (ports?: Ports) => RunningInventory;
  /** Makes a SKU, and the locations A1, B1, C1 (storage) and Q1 (quarantine) once. */
  readonly stockSku: (id: string, opening?: Readonly<Record<string, number>>) => Promise<void>;
  readonly document: (id: string) => Promise<SkuDocument>;
  /** The ledger's entries of a SKU, oldest first. */
  readonly entries: (
    id: string,
  ) => Promise<readonly { readonly ordinal: number; readonly actionId: string }[]>;
  /** What is wrong with a SKU, judged from its document and its whole history. */
  readonly faults: (id: string) => Promise<readonly unknown[]>;
}

/** Call it in a describe or at the top of a file: it arranges before the tests, and cleans up. */
export function useStockroom(deadlineMilliseconds = 8_000): Stockroom {
  const database = useDatabase();
  const collections = collectionsOf(database.db);
  let store: Store | undefined;
  const running: RunningInventory[] = [];

  beforeAll(async () => {
    store = openStore(database.uri, database.name);
    await store.prepare();
    const { locations } = store.ports;
    for (const place of [
      location('A1'),
      location('B1'),
      location('C1'),
      location('Q1', 'quarantine'),
    ]) {
      const { warehouse, kind } = place;
      await locations.create(
        place.location,
        { warehouse, kind },
        action({ type: 'define', definition }).actionId,
      );
    }
  });
  afterAll(async () => {
    for (const inventory of running) await inventory.idle();
    await store?.close();
  });

  function opened(): Store {
    if (store === undefined) throw new Error('the stockroom opens before the tests');
    return store;
  }

  function ports(): Ports {
    return { ...opened().ports, timer: processTimer };
  }

  function process(through: Ports = ports()): RunningInventory {
    const inventory = createInventory(through, deadlineMilliseconds);
    running.push(inventory);
    return inventory;
  }

  async function document(id: string): Promise<SkuDocument> {
    const found = await collections.skus.findOne({ _id: sku(id) });
    if (found === null) throw new Error(`there is no SKU ${id}`);
    return found;
  }

  async function history(id: string): Promise<readonly Movement[]> {
    const read = await ports().ledger.history({ sku: sku(id), limit: 1_000_000 });
    if (read.kind === 'unknown') throw new Error(read.cause);
    return read.value.toReversed();
  }

  return {
    collections,
    db: database.db,
    ports,
    counts: () => opened().counts,
    process,
    document,
    stockSku: async (id, opening = {}) => {
      const inventory = process();
      await inventory.post(action({ type: 'define', definition }, { id }));
      for (const [at, amount] of Object.entries(opening)) {
        if (amount > 0) await done(inventory, action(receive(at, amount), { id }));
      }
    },
    entries: async (id) =>
      (await history(id)).map(({ ordinal, actionId }) => ({ ordinal, actionId })),
    faults: async (id) => {
      const read = await ports().skus.read(sku(id), { actions: [], reservations: [], undone: [] });
      if (read.kind !== 'found') throw new Error(`there is no SKU ${id}`);
      const { movements } = await document(id);
      const replayed = replay(await history(id));
      return [
        ...documentFaults(read.value.state, movements.length),
        ...replayed.faults,
        ...levelFaults(read.value.state, replayed),
      ];
    },
  };
}

/** Posts an action that has to be applied. */
export async function done(
  inventory: Pick<RunningInventory, 'post'>,
  request: Action,
): Promise<Moved> {
  const answer = await inventory.post(request);
  if (answer.kind !== 'moved') throw new Error(`not moved: ${outcome(answer)}`);
  return answer;
}

/** An answer in a word: `moved`, `replayed`, a refusal's code, or `unavailable`. */
export function outcome(answer: ActionAnswer): string {
  switch (answer.kind) {
    case 'moved':
      return answer.replayed ? 'replayed' : 'moved';
    case 'refused':
      return answer.refusal.code;
    case 'defined':
    case 'unavailable':
      return answer.kind;
  }
}
