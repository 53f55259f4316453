/** The id of a receipt. */
import type { ActionId } from '../domain/ids.ts';
import type { ReceiptId } from '../domain/purchase-order.ts';
import { parseReceiptId } from '../domain/purchase-order.ts';
import { derivedId } from './derived-id.ts';

export function receiptIdOf(action: ActionId): ReceiptId {
  return derivedId(action, parseReceiptId);
}
