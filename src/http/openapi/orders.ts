/** The document on purchase orders, their receipts, and stock counts. */
import { countLineShown, countShown, countSummaryShown } from '../answers/count.ts';
import { orderShown, receiptShown } from '../answers/order.ts';
import { pageShown } from '../answers/shown.ts';
import type { OperationDocs } from './operation.ts';
import { made, shown } from './operation.ts';

const order = '/v1/purchase-orders/{number}';
const later = 'The service finishes it by itself; `Location` names where to look.';

export const orderDocs: OperationDocs = {
  'POST /v1/purchase-orders': {
    id: 'createPurchaseOrder',
    tag: 'Purchase orders',
    summary: 'Enter an order',
    answers: made('The order.', orderShown),
    refuses: ['purchase-order-exists', 'unknown-sku', 'unknown-unit'],
    example: {
      number: 'PO-7',
      supplier: 'Leaf & Sons',
      lines: [{ line: 1, sku: 'TEA-100', ordered: 10, unit: 'case', overReceiptPercent: 5 }],
    },
  },
  'GET /v1/purchase-orders': {
    id: 'listPurchaseOrders',
    tag: 'Purchase orders',
    summary: 'List orders',
    answers: shown('A page of orders, by number.', pageShown(orderShown)),
    refuses: [],
  },
  [`GET ${order}`]: {
    id: 'getPurchaseOrder',
    tag: 'Purchase orders',
    summary: 'Show an order',
    answers: shown(
      'The order with what was received, in base units, and its appointments.',
      orderShown,
    ),
    refuses: ['not-found'],
  },
  [`PATCH ${order}`]: {
    id: 'changePurchaseOrder',
    tag: 'Purchase orders',
    summary: 'Change an order',
    description:
      'What is left out stays. A line number that the order has not yet is a new line, which ' +
      'needs `sku` and `ordered`.',
    answers: shown('The order as changed.', orderShown),
    refuses: [
      'not-found',
      'purchase-order-closed',
      'below-received',
      'unknown-sku',
      'unknown-unit',
    ],
    example: { lines: [{ line: 1, ordered: 12, unit: 'case' }] },
  },
  [`POST ${order}/close`]: {
    id: 'closePurchaseOrder',
    tag: 'Purchase orders',
    summary: 'Close an order',
    answers: shown('The order, closed.', orderShown),
    refuses: ['not-found', 'purchase-order-closed'],
    example: {},
  },
  [`POST ${order}/cancel`]: {
    id: 'cancelPurchaseOrder',
    tag: 'Purchase orders',
    summary: 'Cancel an order',
    description:
      'Its appointments at the dock are given up, most often before the answer, else soon after.',
    answers: shown('The order, cancelled.', orderShown),
    refuses: ['not-found', 'purchase-order-closed'],
    example: {},
  },
};

export const receiptDocs: OperationDocs = {
  [`POST ${order}/receipts`]: {
    id: 'receivePurchaseOrder',
    tag: 'Purchase orders',
    summary: 'Receive goods of an order',
    description:
      'Per line no more than ordered plus tolerance, all lines or none. A line of the order may ' +
      'occur more than once. A line that cannot be stocked any more ends as `failed`. ' +
      '`appointment` names the hold at the dock on which the goods arrived, one of the order.',
    answers: {
      ...made('The receipt, completed.', receiptShown),
      202: {
        what: `The order is credited and the receipt in progress. ${later}`,
        schema: receiptShown,
      },
    },
    refuses: [
      'not-found',
      'purchase-order-closed',
      'over-receipt',
      'unknown-line',
      'unknown-appointment',
      'unknown-location',
      'unknown-unit',
      'location-retired',
    ],
    example: { lines: [{ line: 1, location: 'A-01', quantity: 4, unit: 'case' }] },
  },
  [`GET ${order}/receipts`]: {
    id: 'listReceipts',
    tag: 'Purchase orders',
    summary: 'List the receipts of an order',
    answers: shown('A page of receipts.', pageShown(receiptShown)),
    refuses: ['not-found'],
  },
  [`GET ${order}/receipts/{id}`]: {
    id: 'getReceipt',
    tag: 'Purchase orders',
    summary: 'Show a receipt',
    answers: shown('The receipt as it now stands.', receiptShown),
    refuses: ['not-found'],
  },
  [`POST ${order}/receipts/{id}/reverse`]: {
    id: 'reverseReceipt',
    tag: 'Purchase orders',
    summary: 'Send a receipt back',
    description: 'Once, while the stock is there.',
    answers: {
      ...shown('The receipt, reversed.', receiptShown),
      202: { what: `The reversal has begun. ${later}`, schema: receiptShown },
    },
    refuses: ['not-found', 'receipt-in-progress', 'receipt-reversed', 'insufficient-stock'],
    example: { note: 'Wrong goods' },
  },
};

export const countDocs: OperationDocs = {
  'POST /v1/stock-counts': {
    id: 'openStockCount',
    tag: 'Stock counts',
    summary: 'Open a count',
    description:
      'Of all that stands at the locations, or of these SKUs there. At most 2,000 lines. A pair ' +
      'of SKU and location is in one open count at a time.',
    answers: made('The count.', countShown),
    refuses: ['count-overlap', 'count-limit', 'unknown-location', 'unknown-sku'],
    example: { locations: ['A-01', 'B-01'], blind: true },
  },
  'GET /v1/stock-counts': {
    id: 'listStockCounts',
    tag: 'Stock counts',
    summary: 'List counts',
    answers: shown('A page of counts, newest first, without lines.', pageShown(countSummaryShown)),
    refuses: [],
  },
  'GET /v1/stock-counts/{id}': {
    id: 'getStockCount',
    tag: 'Stock counts',
    summary: 'Show a count',
    answers: shown('The count with its lines.', countShown),
    refuses: ['not-found'],
  },
  'PUT /v1/stock-counts/{id}/lines': {
    id: 'putStockCountLine',
    tag: 'Stock counts',
    summary: 'Enter what was counted',
    description:
      '`asOfOrdinal` is the newest ordinal of the SKU that the counter saw when counting began; ' +
      'without it, the newest there is. `counted` null clears the line. The last one put counts.',
    answers: shown('The line.', countLineShown),
    refuses: [
      'not-found',
      'count-closed',
      'count-cancelled',
      'count-limit',
      'count-overlap',
      'unknown-sku',
    ],
    example: { sku: 'TEA-100', location: 'A-01', counted: 58, asOfOrdinal: 12 },
  },
  'POST /v1/stock-counts/{id}/close': {
    id: 'closeStockCount',
    tag: 'Stock counts',
    summary: 'Close a count',
    description: 'Posts the variance of each line, never a level.',
    answers: {
      ...shown('The count, closed, with the outcome of each line.', countShown),
      202: { what: `The count is closing. ${later}`, schema: countShown },
    },
    refuses: ['not-found', 'count-cancelled', 'count-closed'],
    example: {},
  },
  'POST /v1/stock-counts/{id}/cancel': {
    id: 'cancelStockCount',
    tag: 'Stock counts',
    summary: 'Cancel a count',
    answers: shown('The count, cancelled.', countShown),
    refuses: ['not-found', 'count-cancelled', 'count-closed'],
    example: {},
  },
};
