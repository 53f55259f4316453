/** The purchase orders that appointments are for: only an open one takes deliveries. */
import type { Appointments } from './dock-ports.ts';
import type { OrderStore } from './order-ports.ts';

export function createAppointments(orders: Pick<OrderStore, 'read'>): Appointments {
  return {
    register: async (number) => {
      const read = await orders.read(number);
      if (read.kind === 'unknown') return read;
      if (read.kind === 'missing') {
        return { kind: 'refused', refusal: { code: 'unknown-purchase-order', number } };
      }
      const { standing } = read.value.order;
      return standing === 'open'
        ? { kind: 'registered' }
        : { kind: 'refused', refusal: { code: 'purchase-order-closed', number, standing } };
    },
  };
}
