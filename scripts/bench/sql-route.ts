/** The hand-written SQL behind an equally bare Express route, in a process of its own. */
import { once } from 'node:events';
import express from 'express';
import { z } from 'zod';
import { parseSku } from '../../src/domain/ids.ts';
import { openSql } from './strategies/sql.ts';
import { required } from './stock.ts';

const settings = z
  .object({
    BENCH_FORM: z.enum(['tx', 'one']),
    BENCH_POSTGRES: z.string(),
    BENCH_SCHEMA: z.string(),
  })
  .parse(process.env);
const movement = z.object({ sku: z.string(), quantity: z.literal(1) });

const mover = await openSql(settings.BENCH_FORM, settings.BENCH_POSTGRES, settings.BENCH_SCHEMA);
const app = express();
app.use(express.json());
app.post('/v1/movements', async (request, response) => {
  const { sku } = movement.parse(request.body);
  await mover.move(required(parseSku(sku)), required(request.get('Idempotency-Key')));
  response.status(201).json({ sku, moved: 1 });
});
const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
const address = server.address();
if (address === null || typeof address === 'string') throw new TypeError('not a TCP address');
process.send?.({ kind: 'listening', url: `http://127.0.0.1:${address.port}` });

const stop = (): void => {
  if (!server.listening) return;
  server.close();
  server.closeAllConnections();
  void mover.close();
  if (process.connected) process.disconnect();
};
process.once('SIGTERM', stop);
// The bench is gone, however it went.
process.once('disconnect', stop);
