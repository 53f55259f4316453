/** A client of a server over kept-alive connections; the load runs in a process of its own. */
import { Agent, request } from 'node:http';
import type { Sku } from '../../../src/domain/ids.ts';
import { shippedFrom } from '../stock.ts';
import type { Mover, Outcome } from './mover.ts';

export function openHttp(url: string, secret: string): Mover {
  const agent = new Agent({ keepAlive: true });
  const target = new URL('/v1/movements', url);
  return {
    move: (sku, key) => post(agent, target, secret, { sku, key }),
    close: () => {
      agent.destroy();
      return Promise.resolve();
    },
  };
}

function post(
  agent: Agent,
  target: URL,
  secret: string,
  { sku, key }: { readonly sku: Sku; readonly key: string },
): Promise<Outcome> {
  const body = JSON.stringify({ type: 'ship', sku, location: shippedFrom, quantity: 1 });
  return new Promise((resolve, reject) => {
    const sent = request(target, {
      agent,
      method: 'POST',
      headers: {
        Authorization: `Bearer ${secret}`,
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(body),
        'Idempotency-Key': key,
      },
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        text += part;
      });
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode === 201) resolve('moved');
        else if (response.statusCode === 503) resolve('unknown');
        else reject(new Error(`the server answered ${response.statusCode ?? 0}: ${text}`));
      });
    });
    sent.end(body);
  });
}
