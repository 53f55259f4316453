/** What the document says of every operation. */
import { apiKeyDocs } from './api-keys.ts';
import { cycleCountDocs } from './cycle-counts.ts';
import { dockDocs } from './dock.ts';
import type { OperationDocs } from './operation.ts';
import { countDocs, orderDocs, receiptDocs } from './orders.ts';
import { reservationDocs } from './reservations.ts';
import { reminderDocs, serviceDocs } from './service.ts';
import { historyDocs, locationDocs, movementDocs, skuDocs } from './stock.ts';

export const operationDocs: OperationDocs = {
  ...movementDocs,
  ...reservationDocs,
  ...skuDocs,
  ...locationDocs,
  ...orderDocs,
  ...receiptDocs,
  ...countDocs,
  ...cycleCountDocs,
  ...dockDocs,
  ...apiKeyDocs,
  ...historyDocs,
  ...reminderDocs,
  ...serviceDocs,
};
