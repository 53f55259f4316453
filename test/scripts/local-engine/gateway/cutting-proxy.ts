/** A proxy between the driver and the engine that can lose an answer. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface CuttingProxy extends AsyncDisposable {
  readonly uri: string;
  /** From now on, answers are kept back and the connection they belong to is cut. */
  loseAnswers(): void;
  passAnswers(): void;
}

export async function startCuttingProxy(engineUri: string): Promise<CuttingProxy> {
  const target = new URL(engineUri);
  const sockets = new Set<Socket>();
  let isLosing = false;
  const server = createServer((client) => {
    const engine = connect({ host: target.hostname, port: Number(target.port) });
    for (const socket of [client, engine]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        client.destroy();
        engine.destroy();
        sockets.delete(socket);
      });
    }
    client.pipe(engine);
    engine.on('data', (answer) => {
      if (isLosing) client.destroy();
      else client.write(answer);
    });
  }).listen({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    uri: `mongodb://127.0.0.1:${address.port}/?directConnection=true`,
    loseAnswers: () => {
      isLosing = true;
    },
    passAnswers: () => {
      isLosing = false;
    },
    [Symbol.asyncDispose]: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
