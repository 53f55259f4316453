/** What a carrier's clerk asks of the dock over HTTP, and what the answers say. */
import { z } from 'zod';
import type { Client, Reply } from './http-client.ts';
import { freshKey } from './http-client.ts';

const slotShown = z.object({ slot: z.string(), warehouse: z.string(), capacity: z.number() });
const holdShown = z.object({
  id: z.string(),
  slot: z.string(),
  seats: z.number(),
  status: z.string(),
  expiresAt: z.string().nullable(),
});
const availabilityShown = z.array(z.object({ slot: z.string(), remaining: z.number() }));

export type HoldShown = z.output<typeof holdShown>;

export interface DockClient {
  /** @returns the id of a new slot. */
  readonly open: (opening: {
    readonly capacity: number;
    readonly warehouse?: string;
    readonly startsAt?: Date;
  }) => Promise<string>;
  readonly hold: (slot: string, body?: unknown, key?: string) => Promise<Reply>;
  readonly confirm: (hold: string, key?: string) => Promise<Reply>;
  readonly cancel: (hold: string, key?: string) => Promise<Reply>;
  readonly show: (hold: string) => Promise<HoldShown>;
  /** What remains of a slot; it has not begun. */
  readonly remaining: (slot: string) => Promise<number>;
}

const hourMs = 3_600_000;

export function dockClient(client: Client): DockClient {
  return {
    open: async ({ capacity, warehouse = 'W1', startsAt = new Date(Date.now() + 24 * hourMs) }) => {
      const endsAt = new Date(startsAt.getTime() + hourMs);
      const body = { warehouse, startsAt, endsAt, capacity };
      const opened = await client.send('POST', '/v1/dock/slots', { body, key: freshKey() });
      return slotShown.parse(opened.body).slot;
    },
    hold: (slot, body, key = freshKey()) =>
      client.send('POST', `/v1/dock/slots/${slot}/holds`, {
        key,
        ...(body === undefined ? {} : { body }),
      }),
    confirm: (hold, key = freshKey()) =>
      client.send('POST', `/v1/dock/holds/${hold}/confirm`, { key }),
    cancel: (hold, key) =>
      client.send('DELETE', `/v1/dock/holds/${hold}`, key === undefined ? {} : { key }),
    show: async (hold) => holdIn(await client.get(`/v1/dock/holds/${hold}`)),
    remaining: async (slot) => {
      const shown = await client.get('/v1/dock/slots/availability');
      const found = availabilityShown.parse(shown.body).find((one) => one.slot === slot);
      if (found === undefined) throw new Error(`${slot} is not available`);
      return found.remaining;
    },
  };
}

/** The hold that a reply shows. */
export function holdIn(reply: Reply): HoldShown {
  return holdShown.parse(reply.body);
}
