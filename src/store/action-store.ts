/** Claims: which request an action id stands for. Inserted once, never changed or deleted. */
import type { ActionId } from '../domain/ids.ts';
import { textOf } from '../inventory/heal.ts';
import type { ActionStore, Claim, Claimed, Read } from '../inventory/ports.ts';
import { maxTimeMS } from './client.ts';
import type { ActionDocument, Collections } from './documents.ts';
import { ask, askPlainly } from './store-error.ts';

type Actions = Collections['actions'];

export function createActionStore(actions: Actions): ActionStore {
  return {
    claim: (claims) => claim(actions, claims),
    find: (ids) => find(actions, ids),
  };
}

async function claim(actions: Actions, claims: readonly Claim[]): Promise<Claimed> {
  // Two bulk writes that take the same documents in different orders would block each other.
  const sorted = claims.toSorted((one, other) => (one.actionId < other.actionId ? -1 : 1));
  const asked = await ask(() =>
    actions.insertMany(sorted.map(documentOf), { ordered: false, maxTimeMS }),
  );
  switch (asked.kind) {
    case 'found':
      return { kind: 'claimed', standing: new Map() };
    case 'unknown':
      return asked;
    case 'conflict':
      return { kind: 'unknown', cause: 'the claims met a conflict' };
    case 'duplicate': {
      const ids = asked.indexes.flatMap((index) => sorted[index]?.actionId ?? []);
      const standing = await find(actions, ids);
      return standing.kind === 'found' ? { kind: 'claimed', standing: standing.value } : standing;
    }
  }
}

function documentOf({ actionId, digest, operation, subject, ...text }: Claim): ActionDocument {
  return { _id: actionId, digest, operation, subject, ...textOf(text) };
}

async function find(
  actions: Actions,
  ids: readonly ActionId[],
): Promise<Read<ReadonlyMap<ActionId, Claim>>> {
  if (ids.length === 0) return { kind: 'found', value: new Map() };
  const asked = await askPlainly(() =>
    actions.find({ _id: { $in: [...ids] } }, { maxTimeMS }).toArray(),
  );
  if (asked.kind === 'unknown') return asked;
  return {
    kind: 'found',
    value: new Map(
      asked.value.map(({ _id, digest, operation, subject, ...text }) => [
        _id,
        { actionId: _id, digest, operation, subject, ...textOf(text) },
      ]),
    ),
  };
}
