/**
 * Sends requests that were made up. What answers show is kept as a target: a later request for a
 * path below it names something that is really there.
 */
import { Agent, request } from 'node:http';
import { z } from 'zod';
import type { AnyRequest } from './any-request.ts';
import type { Answered } from './described.ts';
import { freshKey } from './http-client.ts';

type Params = Readonly<Record<string, string>>;

export interface Exchange {
  readonly method: string;
  readonly target: string;
  readonly headers: AnyRequest['headers'];
  readonly body: string | undefined;
  readonly answer: Answered;
}

export interface AnySender {
  readonly send: (made: AnyRequest) => Promise<Exchange>;
  readonly close: () => void;
}

/** By then the service has answered, if only by 503. */
const patienceMs = 20_000;

const page = z.object({ items: z.array(z.unknown()) });
const item = z.record(z.string(), z.unknown());

/** What is there, by the template of a path that can name it. */
function targets(templates: readonly string[]) {
  const there = new Map<string, Params[]>();
  const remember = (template: string, params: Params): void => {
    const known = there.get(template) ?? [];
    known.push(params);
    there.set(template, known.slice(-200));
  };
  return {
    of: (template: string): readonly Params[] => there.get(template) ?? [],
    keep: (path: string, sent: Exchange): void => {
      const key = sent.headers['Idempotency-Key'];
      if (path === '/v1/movements' && key !== undefined) remember('/v1/actions/{key}', { key });
      const json = parsedJson(sent.answer.text);
      const shown = page.safeParse(json).data?.items ?? [json];
      const below = templates.filter((one) => one === path || one.startsWith(`${path}/`));
      for (const template of below) {
        for (const one of shown) {
          const params = paramsIn(template, item.safeParse(one).data ?? {});
          if (params !== undefined) remember(template, params);
        }
      }
    },
  };
}

/** undefined where what is shown does not have all that the path names. */
function paramsIn(template: string, shown: z.output<typeof item>): Params | undefined {
  const params: Record<string, string> = {};
  for (const [, name = ''] of template.matchAll(/\{(\w+)\}/g)) {
    const value = shown[name];
    if (typeof value !== 'string') return undefined;
    params[name] = value;
  }
  return params;
}

export function anySender(url: string, secret: string, templates: readonly string[]): AnySender {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const there = targets(templates);
  return {
    send: async (made) => {
      const { operation, query, target: nth } = made;
      const known = there.of(operation.path);
      const real = nth === undefined || known.length === 0 ? {} : known[nth % known.length];
      const params = { ...made.path, ...real };
      const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encoded(params[name]));
      const asked = querystring(query);
      const { 'Idempotency-Key': key, ...rest } = made.headers;
      const headers = {
        Authorization: `Bearer ${secret}`,
        ...(made.body !== undefined && { 'Content-Type': 'application/json' }),
        ...rest,
        ...(key !== undefined && { 'Idempotency-Key': key === 'new' ? freshKey() : key }),
      };
      const target = asked === '' ? path : `${path}?${asked}`;
      const about = { method: operation.method, target, headers, body: made.body };
      const answer = await exchange(new URL(url), agent, about);
      const done = { ...about, answer };
      if (answer.status < 300) there.keep(operation.path, done);
      return done;
    },
    close: () => {
      agent.destroy();
    },
  };
}

function querystring(query: AnyRequest['query']): string {
  const asked = new URLSearchParams();
  for (const [name, value] of query) asked.append(name, value);
  return asked.toString();
}

/** What is escaped already goes as it is: it tries the decoding. */
function encoded(value = ''): string {
  return /^%[\w%]*$/.test(value) ? value : encodeURIComponent(value);
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function exchange(
  { hostname, port }: URL,
  agent: Agent,
  about: Omit<Exchange, 'answer'>,
): Promise<Answered> {
  const { method, target: path, headers, body } = about;
  const bytes = Buffer.from(body ?? '');
  const length = body === undefined ? {} : { 'Content-Length': bytes.length };
  return new Promise((resolve, reject) => {
    const options = { hostname, port, agent, method, path, headers: { ...headers, ...length } };
    const sent = request({ ...options, timeout: patienceMs }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
    });
    sent.on('timeout', () => sent.destroy(new Error(`no answer to ${method} ${path}`)));
    sent.on('error', reject);
    sent.end(bytes);
  });
}
