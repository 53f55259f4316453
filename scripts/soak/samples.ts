/** What is looked at every few seconds: the services' own metrics, the callers, the documents. */
import { BSON } from 'mongodb';
import type { Client } from '../../test/support/http-client.ts';
import { percentile } from '../bench/statistics.ts';
import { skus } from './desk.ts';
import type { Site } from './site.ts';

/** What one service says of itself. */
export interface ServiceSample {
  readonly memoryMib: number;
  readonly loopDelayMs: number;
  readonly waitingRequests: number;
  readonly connections: number;
  readonly waitingOperations: number;
}

export interface Sample {
  readonly atMs: number;
  readonly answeredPerSecond: number;
  /** Of the requests that were answered since the sample before; undefined where none was. */
  readonly p99Ms: number | undefined;
  readonly unanswered: number;
  /** undefined where it did not answer, since it was killed. */
  readonly services: readonly (ServiceSample | undefined)[];
  /** What waits in the database, as the services see it. */
  readonly unfinishedSagas: number | undefined;
  readonly remindersDue: number | undefined;
  /** The largest document of a SKU; undefined where the database did not say. */
  readonly largestDocumentKib: number | undefined;
}

/** What the callers have met since it was last asked. */
export interface Met {
  readonly milliseconds: readonly number[];
  readonly unanswered: number;
}

const patienceMs = 2_000;

export function createSampler(
  { places, client, database }: Site,
  takeMet: () => Met,
): (atMs: number) => Promise<Sample> {
  let lastMs = 0;
  const documents = client.db(database).collection<{ _id: string }>('skus');

  async function largestDocumentKib(): Promise<number | undefined> {
    try {
      const found = documents.find({ _id: { $in: [...skus] } }, { maxTimeMS: patienceMs });
      const sizes = (await found.toArray()).map((one) => BSON.calculateObjectSize(one));
      return Math.max(0, ...sizes) / 1024;
    } catch {
      // A database that is down has no documents to show; the picture has a gap there.
      return undefined;
    }
  }

  return async (atMs) => {
    const { milliseconds, unanswered } = takeMet();
    const [texts, largest] = await Promise.all([
      Promise.all(places.map((place) => metricsOf(place.client))),
      largestDocumentKib(),
    ]);
    const seconds = (atMs - lastMs) / 1_000;
    lastMs = atMs;
    const backlog = texts.find((text) => text !== undefined);
    return {
      atMs,
      answeredPerSecond: milliseconds.length / seconds,
      p99Ms: percentile(milliseconds, 99),
      unanswered,
      services: texts.map((text) => (text === undefined ? undefined : serviceSample(text))),
      unfinishedSagas: sumOf(backlog, 'stockroom_sagas_unfinished'),
      remindersDue: sumOf(backlog, 'stockroom_reminders', 'state="due"'),
      largestDocumentKib: largest,
    };
  };
}

async function metricsOf({ url }: Client): Promise<string | undefined> {
  const asked = fetch(`${url}/metrics`, { signal: AbortSignal.timeout(patienceMs) });
  const answer = await asked.catch(() => undefined);
  return answer?.ok === true ? answer.text().catch(() => undefined) : undefined;
}

function serviceSample(text: string): ServiceSample {
  return {
    memoryMib: sumOf(text, 'process_resident_memory_bytes') / 1024 ** 2,
    loopDelayMs: sumOf(text, 'nodejs_eventloop_lag_p99_seconds') * 1_000,
    waitingRequests: sumOf(text, 'stockroom_queue_requests'),
    connections: sumOf(text, 'stockroom_pool_connections'),
    waitingOperations: sumOf(text, 'stockroom_pool_waiting_operations'),
  };
}

/** All lines of a metric, or those with a label, added up: 0 where there are none. */
function sumOf(text: string, name: string, label?: string): number;
function sumOf(text: string | undefined, name: string, label?: string): number | undefined;
function sumOf(text: string | undefined, name: string, label = ''): number | undefined {
  return text
    ?.split('\n')
    .filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
    .filter((line) => line.includes(label))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}
