/** The service's mutation path in this process, as src/service.ts puts it together. */
import type { Action } from '../../../src/domain/action.ts';
import { parseActionId } from '../../../src/domain/ids.ts';
import type { Sku } from '../../../src/domain/ids.ts';
import { parseQuantity } from '../../../src/domain/quantity.ts';
import type { ActionAnswer } from '../../../src/inventory/answer.ts';
import { createInventory } from '../../../src/inventory/create-inventory.ts';
import type { Ports } from '../../../src/inventory/ports.ts';
import { requestDigest } from '../../../src/inventory/request-digest.ts';
import { processTimer } from '../../../src/inventory/timer.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { actor, required, shippedFrom } from '../stock.ts';
import type { Mover, Outcome } from './mover.ts';

const deadlineMs = 8_000;
const operation = 'POST /v1/movements';
const quantity = required(parseQuantity(1));

/** @param watch puts something between the path and its ports, such as a clock. */
export async function openPath(
  uri: string,
  database: string,
  watch: (ports: Ports) => Ports = (ports) => ports,
): Promise<Mover> {
  const store = openStore(uri, database);
  await store.prepare();
  const inventory = createInventory(watch({ ...store.ports, timer: processTimer }), deadlineMs);
  return {
    move: async (sku, key) => outcomeOf(await inventory.post(ship(sku, key))),
    close: async () => {
      await inventory.idle();
      await store.close();
    },
  };
}

function ship(sku: Sku, key: string): Action {
  const body = { type: 'ship', sku, location: shippedFrom, quantity };
  return {
    actionId: required(parseActionId(actor, key)),
    actor,
    sku,
    operation,
    digest: requestDigest(operation, {}, body),
    change: { type: 'ship', lines: [{ location: shippedFrom, quantity }] },
  };
}

function outcomeOf(answer: ActionAnswer): Outcome {
  if (answer.kind === 'moved' && !answer.replayed) return 'moved';
  if (answer.kind === 'unavailable') return 'unknown';
  throw new Error(`the path answered ${JSON.stringify(answer)}`);
}
