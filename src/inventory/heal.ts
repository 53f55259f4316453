/**
 * Healing: what a process left behind when it died between a movement and its ledger entry is
 * entered by whoever comes next. The entry is complete: the window has the movement, the claim has
 * its reference and note.
 */
import type { Sku } from '../domain/ids.ts';
import type { Movement, MovementText, WindowMovement } from '../domain/movement.ts';
import type { ActionStore, Ports, Read, Recorded } from './ports.ts';

/** Reference and note, where there are any. */
export function textOf(text: MovementText | undefined): MovementText {
  return {
    ...(text?.reference === undefined ? {} : { reference: text.reference }),
    ...(text?.note === undefined ? {} : { note: text.note }),
  };
}

/** A movement of the window made whole with the text that its claim holds. */
export function whole(
  sku: Sku,
  movement: WindowMovement,
  claim: MovementText | undefined,
): Movement {
  return { ...movement, sku, ...textOf(claim) };
}

/**
 * Sees to it that every ordinal up to `through` is in the ledger.
 * @param ledgeredThrough up to where that is known already.
 * @returns `recorded` once it holds; `unknown` when the database could not be asked.
 */
export async function healLedger(
  ports: Pick<Ports, 'skus' | 'actions' | 'ledger'>,
  sku: Sku,
  ledgeredThrough: number,
  through: number,
): Promise<Recorded> {
  if (ledgeredThrough >= through) return { kind: 'recorded' };
  const entered = await ports.ledger.ordinals(sku, ledgeredThrough, through);
  if (entered.kind === 'unknown') return entered;
  if (entered.value.size === through - ledgeredThrough) return { kind: 'recorded' };
  const window = await ports.skus.window(sku, ledgeredThrough);
  if (window.kind === 'unknown') return window;
  const missing = window.value.filter(
    ({ ordinal }) => ordinal <= through && !entered.value.has(ordinal),
  );
  const entries = await completed(ports.actions, sku, missing);
  return entries.kind === 'unknown' ? entries : ports.ledger.record(entries.value);
}

async function completed(
  actions: ActionStore,
  sku: Sku,
  movements: readonly WindowMovement[],
): Promise<Read<readonly Movement[]>> {
  const claims = await actions.find(movements.map((movement) => movement.actionId));
  if (claims.kind === 'unknown') return claims;
  return {
    kind: 'found',
    value: movements.map((movement) => whole(sku, movement, claims.value.get(movement.actionId))),
  };
}
