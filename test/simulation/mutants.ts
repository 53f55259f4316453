/**
 * Mistakes that a service like this one could make, each put in by wrapping a port or a use case. The
 * simulation has to find every one.
 */
import type { Action } from '../../src/domain/action.ts';
import type { ActionId, Instant } from '../../src/domain/ids.ts';
import { parseInstant, serviceActionId } from '../../src/domain/ids.ts';
import type { Movement } from '../../src/domain/movement.ts';
import type { ActionAnswer } from '../../src/inventory/answer.ts';
import type { RunningInventory } from '../../src/inventory/create-inventory.ts';
import type { Interest, SkuChange, SkuRead, SkuStore, Swap } from '../../src/inventory/ports.ts';
import { barcodeMutants } from './barcode-mutants.ts';
import type { Database, Stores } from './database.ts';
import type { Mutation } from './process.ts';
import type { Kind, Scenario } from './scenario.ts';

export interface Mutant extends Mutation {
  readonly kind: Kind;
  readonly scenario?: (scenario: Scenario) => Scenario;
}

function withSkus(stores: Stores, changed: Partial<SkuStore>): Stores {
  const { read, create, swap, window, snapshot, movedSince, list } = stores.skus;
  const skus = { read, create, swap, window, snapshot, movedSince, list };
  return { ...stores, skus: { ...skus, ...changed } };
}

function withReads(stores: Stores, seen: (read: SkuRead, interest: Interest) => SkuRead): Stores {
  const { read } = stores.skus;
  return withSkus(stores, {
    read: async (sku, interest) => {
      const found = await read(sku, interest);
      return found.kind === 'found' ? { kind: 'found', value: seen(found.value, interest) } : found;
    },
  });
}

function withSwaps(stores: Stores, sent: (change: SkuChange) => SkuChange): Stores {
  const { swap } = stores.skus;
  return withSkus(stores, { swap: (change) => swap(sent(change)) });
}

/** Nothing is looked up in the ledger. */
function withoutLedger(stores: Stores): Stores {
  const { ledger } = stores;
  return {
    ...stores,
    ledger: { ...ledger, byAction: () => Promise.resolve({ kind: 'found', value: new Map() }) },
  };
}

function withPost(
  inventory: RunningInventory,
  post: (action: Action) => Promise<ActionAnswer>,
): RunningInventory {
  return { ...inventory, post };
}

const recognisesLastActionOnly: Mutant = {
  kind: 'stock',
  stores: ({ stores }) =>
    withoutLedger(
      withReads(stores, (read) => ({
        ...read,
        retained: read.retained.filter(({ ordinal }) => ordinal === read.state.movementCount),
      })),
    ),
};

const recognisesInWindowOfOne: Mutant = {
  kind: 'stock',
  scenario: (scenario) => ({ ...scenario, windowLimit: 1 }),
  stores: ({ stores }) => withoutLedger(stores),
};

/** A write whose answer was lost is sent again under another id. */
const takesFreshIdOnRetry: Mutant = {
  kind: 'stock',
  ports: (ports) => {
    const { read, swap } = ports.skus;
    const tries = new Map<ActionId, number>();
    const renamed = (id: ActionId): ActionId => {
      const tried = tries.get(id) ?? 0;
      return tried === 0 ? id : freshId(id, tried);
    };
    return withSkus(ports, {
      read: (sku, interest) => read(sku, { ...interest, actions: interest.actions.map(renamed) }),
      swap: async (change) => {
        const movements = change.movements.map((movement) => ({
          ...movement,
          actionId: renamed(movement.actionId),
        }));
        const swapped = await swap({ ...change, movements });
        if (swapped.kind === 'unknown') {
          for (const { actionId } of change.movements) {
            tries.set(actionId, (tries.get(actionId) ?? 0) + 1);
          }
        }
        return swapped;
      },
    });
  },
};

function freshId(id: ActionId, tried: number): ActionId {
  return serviceActionId('again', `${id}#${tried}`);
}

const takesUnknownForFailed: Mutant = {
  kind: 'stock',
  inventory: (inventory) =>
    withPost(inventory, async (action) => {
      const answer = await inventory.post(action);
      return answer.kind === 'unavailable'
        ? { kind: 'refused', refusal: { code: 'unknown-sku', sku: action.sku } }
        : answer;
    }),
};

/** Whatever comes is written, on whatever stands. */
const swapsWithoutVersion: Mutant = {
  kind: 'stock',
  stores: ({ stores, skus }) =>
    withSwaps(stores, (change) => {
      const standing = skus.get(change.before.sku);
      return standing === undefined ? change : { ...change, before: standing.state };
    }),
};

/** Levels are changed by how much, not to what: two writes add up, and one may land twice. */
const incrementsWithoutVersion: Mutant = {
  kind: 'stock',
  stores: ({ stores, skus }) =>
    withSwaps(stores, (change) => {
      const standing = skus.get(change.before.sku)?.state;
      if (standing === undefined) return change;
      const lines = change.movements.flatMap((movement) => movement.lines);
      const levels = change.after.levels.map((level) => {
        const stood = standing.levels.find(({ location }) => location === level.location);
        const own = lines.filter(({ location }) => location === level.location);
        const added = own.reduce((sum, { delta }) => sum + delta, 0);
        return { ...level, onHand: ((stood?.onHand ?? 0) + added) as typeof level.onHand };
      });
      const version = standing.version + 1;
      return { ...change, before: standing, after: { ...change.after, levels, version } };
    }),
};

const deletesClaimOnRefusal: Mutant = {
  kind: 'stock',
  inventory: (inventory, { claims }) =>
    withPost(inventory, async (action) => {
      const answer = await inventory.post(action);
      if (answer.kind === 'refused') claims.delete(action.actionId);
      return answer;
    }),
};

const leavesWindowBeforeLedger: Mutant = {
  kind: 'stock',
  stores: ({ stores }) =>
    withSwaps(stores, (change) => ({ ...change, ledgeredThrough: change.before.movementCount })),
};

/** A batch is answered while its write is still on its way. */
const answersBeforeSwap: Mutant = {
  kind: 'stock',
  ports: (ports, stage) => {
    const { swap } = ports.skus;
    return withSkus(ports, {
      swap: (change): Promise<Swap> => {
        void swap(change);
        return Promise.resolve({ kind: 'swapped', at: stage.clock.now, extent: change.extent });
      },
    });
  },
};

/** Decisions, refusals too, rest on what this process saw last. */
const refusesFromMemory: Mutant = {
  kind: 'holds',
  ports: (ports) => {
    const { swap } = ports.skus;
    const seen = new Map<string, Pick<SkuRead, 'state' | 'now' | 'extent'>>();
    const remembering = withReads(ports, (read) => {
      const { state, now, extent } = seen.get(read.state.sku) ?? read;
      seen.set(read.state.sku, { state, now, extent });
      return { ...read, state, now, extent };
    });
    return withSkus(remembering, {
      swap: async (change) => {
        seen.delete(change.before.sku);
        return swap(change);
      },
    });
  },
};

const hour = 3_600_000;

function hourBefore(now: Instant): Instant {
  const before = parseInstant(now - hour);
  if (before === undefined) throw new RangeError('there is no such hour');
  return before;
}

/** What has lapsed counts as held, since the clock is believed to be behind. */
const countsLapsedHolds: Mutant = {
  kind: 'holds',
  ports: (ports) => withReads(ports, (read) => ({ ...read, now: hourBefore(read.now) })),
};

const commitsLapsedHolds: Mutant = {
  kind: 'holds',
  ports: (ports) =>
    withSwaps(ports, ({ before, extent, after, movements, ledgeredThrough }) => ({
      before,
      extent,
      after,
      movements,
      ledgeredThrough,
    })),
};

/** A step of a saga that is refused leaves nothing behind, and its refusal is recorded all the same. */
function withoutVoid(inventory: RunningInventory): RunningInventory {
  return withPost(inventory, async ({ orVoid, ...action }) => {
    const answer = await inventory.post(action);
    return answer.kind === 'refused' && orVoid === true
      ? { kind: 'moved', movement: unwritten(action, answer.refusal.code), replayed: false }
      : answer;
  });
}

/** A step is recorded as what it will be, and only then is it done. */
function recordedFirst(inventory: RunningInventory, { skus }: Database): RunningInventory {
  return withPost(inventory, (action) => {
    void inventory.post(action);
    const ordinal = (skus.get(action.sku)?.state.movementCount ?? 0) + 1;
    const movement = { ...unwritten(action), ordinal };
    return Promise.resolve({ kind: 'moved', movement, replayed: false });
  });
}

function unwritten({ actionId, sku, actor }: Action, refused?: Movement['refused']): Movement {
  const at = parseInstant(0);
  if (at === undefined) throw new RangeError('the epoch is an instant');
  const why = refused === undefined ? {} : { refused };
  return { actionId, sku, ordinal: 1, type: 'void', lines: [], ...why, actor, at };
}

const recordsRefusedReceiptWithoutVoid: Mutant = { kind: 'receiving', sagaInventory: withoutVoid };
const recordsReceiptBeforeStock: Mutant = { kind: 'receiving', sagaInventory: recordedFirst };
const recordsRefusedVarianceWithoutVoid: Mutant = { kind: 'counting', sagaInventory: withoutVoid };
const recordsVarianceBeforeStock: Mutant = { kind: 'counting', sagaInventory: recordedFirst };

/** A line whose outcome is unknown is recorded as failed. */
const takesUnknownLineForFailed: Mutant = {
  kind: 'receiving',
  sagaInventory: (inventory) =>
    withPost(inventory, async (action) => {
      const answer = await inventory.post(action);
      return answer.kind === 'unavailable'
        ? { kind: 'moved', movement: unwritten(action, 'location-retired'), replayed: false }
        : answer;
    }),
};

export const mutants = {
  recognisesLastActionOnly,
  recognisesInWindowOfOne,
  takesFreshIdOnRetry,
  takesUnknownForFailed,
  swapsWithoutVersion,
  incrementsWithoutVersion,
  deletesClaimOnRefusal,
  leavesWindowBeforeLedger,
  answersBeforeSwap,
  refusesFromMemory,
  countsLapsedHolds,
  commitsLapsedHolds,
  recordsRefusedReceiptWithoutVoid,
  recordsReceiptBeforeStock,
  recordsRefusedVarianceWithoutVoid,
  recordsVarianceBeforeStock,
  takesUnknownLineForFailed,
  ...barcodeMutants,
} as const satisfies Readonly<Record<string, Mutant>>;
