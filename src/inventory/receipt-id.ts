/** The id of a receipt, made from the action that makes it, as those of reservations are. */
import type { ActionId } from '../domain/ids.ts';
import type { ReceiptId } from '../domain/purchase-order.ts';
import { parseReceiptId } from '../domain/purchase-order.ts';
import { reservationIdOf } from './reservation-id.ts';

export function receiptIdOf(action: ActionId): ReceiptId {
  const id = parseReceiptId(reservationIdOf(action));
  if (id === undefined) throw new TypeError('both kinds of ids have 22 characters of base64url');
  return id;
}
