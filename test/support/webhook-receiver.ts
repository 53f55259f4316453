/** A receiver of the webhook on loopback: takes down what it gets, and answers as a test says. */
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

const bodyShape = z.object({
  deliveryId: z.string(),
  actor: z.string(),
  name: z.string(),
  key: z.string().optional(),
  dueAt: z.string(),
  attempt: z.number(),
  payload: z.unknown().optional(),
});

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: z.infer<typeof bodyShape>;
}

export interface WebhookReceiver {
  readonly url: string;
  readonly received: readonly Received[];
  /** Resolves with what satisfies it, once enough does. */
  readonly until: (
    isMeant: (received: Received) => boolean,
    count?: number,
  ) => Promise<readonly Received[]>;
  readonly stop: () => Promise<void>;
}

export const webhookSecret = 'a-webhook-secret-for-tests';

/** @param answer 200 where it is left out. */
export async function startWebhookReceiver(
  answer: (received: Received, response: ServerResponse) => void = (_, response) => {
    response.end('ok');
  },
): Promise<WebhookReceiver> {
  const received: Received[] = [];
  const watching = new Set<() => void>();
  const server = createServer((request, response) => {
    void text(request).then((said) => {
      const one = { headers: request.headers, text: said, body: bodyShape.parse(JSON.parse(said)) };
      received.push(one);
      for (const look of watching) look();
      answer(one, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no TCP address');
  return {
    url: `http://127.0.0.1:${address.port}/due`,
    received,
    until: (isMeant, count = 1) =>
      new Promise((resolve) => {
        const look = (): void => {
          const meant = received.filter(isMeant);
          if (meant.length < count) return;
          watching.delete(look);
          resolve(meant);
        };
        watching.add(look);
        look();
      }),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}
