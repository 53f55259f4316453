/** The process: settings, logger, service, and a stop that finishes what is under way. */
import { pino } from 'pino';
import { SettingsError, readSettings, secretsOf } from './config.ts';
import { maskOf } from './http/masking.ts';
import { loggerOptions } from './http/request-log.ts';
import { startService } from './service.ts';

/** Until the settings are read, no secret is known. */
let mask = maskOf([]);

async function run(): Promise<void> {
  const settings = readSettings(process.env);
  mask = maskOf(secretsOf(settings));
  const logger = pino(loggerOptions(settings.logLevel, mask));
  const service = await startService(settings, logger);
  logger.info({ url: service.url }, 'listening');
  // A supervisor that started this process with a channel learns the address from it.
  process.send?.({ kind: 'listening', url: service.url });
  let stopping = false;
  const stop = (reason: string): void => {
    if (stopping) return;
    stopping = true;
    logger.info({ reason }, 'stopping');
    service.stop().then(
      () => {
        logger.info('stopped');
        if (process.connected) process.disconnect();
      },
      (error: unknown) => {
        logger.error({ err: error }, 'the stop failed');
        process.exitCode = 1;
      },
    );
  };
  process.on('SIGTERM', () => {
    stop('SIGTERM');
  });
  process.on('SIGINT', () => {
    stop('SIGINT');
  });
  // Whoever started this process with a channel and is gone cannot stop it any more.
  process.on('disconnect', () => {
    stop('the starter is gone');
  });
}

run().catch((error: unknown) => {
  const text = error instanceof SettingsError ? error.message : String(error);
  process.stderr.write(`${mask(text)}\n`);
  process.exitCode = 1;
});
