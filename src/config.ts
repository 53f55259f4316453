/** The settings: read from the environment once, and refused with the name of what is wrong. */
import ipaddr from 'ipaddr.js';
import { z } from 'zod';

const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,10}$/, `must be a whole number from ${least} to ${most}`)
    .transform(Number)
    .refine((value) => value >= least && value <= most, {
      error: `must be a whole number from ${least} to ${most}`,
    });

const namedNetworks: ReadonlySet<string> = new Set(['loopback', 'linklocal', 'uniquelocal']);

/** Proxies whose word is taken for a caller's address: so many of them, or those of networks. */
const trustedProxies = z.string().transform((text, context): number | readonly string[] => {
  if (text === 'true') return 1;
  if (text === 'false') return 0;
  if (/^\d$/.test(text)) return Number(text);
  const networks = text.split(',').map((network) => network.trim());
  const isKnown = (network: string) =>
    namedNetworks.has(network) ||
    // A number alone is an address to the parser, but hardly to who wrote it.
    (/[.:]/.test(network) && (ipaddr.isValid(network) || ipaddr.isValidCIDR(network)));
  if (networks.every(isKnown)) return networks;
  context.addIssue(
    'must be how many proxies there are, 0 to 9, or addresses and networks such as 10.0.0.0/8,loopback',
  );
  return z.NEVER;
});

const requestsPerMinute = wholeNumber(0, 1_000_000_000).optional();

const environment = z.object({
  MONGODB_URI: z
    .string({ error: 'must be set, to mongodb:// or mongodb+srv:// and the rest of an address' })
    .regex(/^mongodb(\+srv)?:\/\/./, 'must begin with mongodb:// or mongodb+srv://'),
  MONGODB_DATABASE: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,63}$/, 'must be 1 to 63 letters, digits, _ or -')
    .default('stockroom'),
  HOST: z.string().default('127.0.0.1'),
  PORT: wholeNumber(0, 65_535).default(8080),
  REQUEST_DEADLINE_MS: wholeNumber(100, 600_000).default(8000),
  DOCK_HOLD_SECONDS: wholeNumber(1, 86_400).default(300),
  AVAILABILITY_CACHE_SECONDS: wholeNumber(5, 15).default(10),
  RATE_LIMIT_PER_KEY: requestsPerMinute,
  RATE_LIMIT_PER_ADDRESS: requestsPerMinute,
  TRUST_PROXY: trustedProxies.default(0),
  TLS_CERT_FILE: z.string().optional(),
  TLS_KEY_FILE: z.string().optional(),
  ADMIN_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{16,512}$/, 'must be 16 to 512 visible ASCII characters')
    .optional(),
  WEBHOOK_URL: z
    .url({ protocol: /^https?$/, error: 'must be an address that begins with http:// or https://' })
    .max(2_000, 'must be at most 2,000 characters')
    .refine((url) => !/[@#]/.test(url), 'must hold neither credentials nor a fragment')
    .optional(),
  WEBHOOK_SECRET: z
    .string()
    .regex(/^[\x21-\x7e]{16,512}$/, 'must be 16 to 512 visible ASCII characters')
    .optional(),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      error: 'must be fatal, error, warn, info, debug, trace or silent',
    })
    .default('info'),
});

const settled = environment
  .refine(
    // What is signed with nothing could be anybody's.
    ({ WEBHOOK_URL, WEBHOOK_SECRET }) => WEBHOOK_URL === undefined || WEBHOOK_SECRET !== undefined,
    { path: ['WEBHOOK_SECRET'], error: 'must be set where WEBHOOK_URL is' },
  )
  .refine(
    ({ TLS_CERT_FILE, TLS_KEY_FILE }) => TLS_CERT_FILE === undefined || TLS_KEY_FILE !== undefined,
    { path: ['TLS_KEY_FILE'], error: 'must be set where TLS_CERT_FILE is' },
  )
  .refine(
    ({ TLS_CERT_FILE, TLS_KEY_FILE }) => TLS_KEY_FILE === undefined || TLS_CERT_FILE !== undefined,
    { path: ['TLS_CERT_FILE'], error: 'must be set where TLS_KEY_FILE is' },
  );

export interface Settings {
  readonly mongodbUri: string;
  readonly mongodbDatabase: string;
  readonly host: string;
  readonly port: number;
  readonly requestDeadlineMs: number;
  /** For how long a place at the dock is held that is not confirmed. */
  readonly dockHoldSeconds: number;
  /** For how long what is available there may be shown from memory. */
  readonly availabilityCacheSeconds: number;
  /** Requests a minute; 0 is without limit. */
  readonly rateLimitPerKey: number;
  readonly rateLimitPerAddress: number;
  /** How many proxies stand before the service, or their addresses and networks. */
  readonly trustProxy: number | readonly string[];
  /** Files in PEM; without them the service speaks plain HTTP. */
  readonly tls: { readonly certFile: string; readonly keyFile: string } | undefined;
  /** For how long a stop says that the service is not ready before it lets nobody in any more. */
  readonly drainMs: number;
  /** The secret of the key named `admin`; without it there is no such key. */
  readonly adminApiKey: string | undefined;
  /** Where callers' reminders go; without it they stay due. */
  readonly webhook: { readonly url: string; readonly secret: string } | undefined;
  readonly logLevel: string;
}

/** What must not be shown: passwords as the database's address writes them, and as they are. */
export function secretsOf({ adminApiKey, webhook, mongodbUri }: Settings): readonly string[] {
  const password = /^[^:]+:\/\/[^:@/]*:([^@]+)@/.exec(mongodbUri)?.[1];
  const passwords = password === undefined ? [] : [password, decoded(password)];
  return [adminApiKey, webhook?.secret, ...passwords].filter((secret) => secret !== undefined);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A setting that cannot be used. The message names it and never shows its value. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/** A variable that is set to nothing counts as not set, as compose files leave it. */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const set = Object.entries(env).filter(([, value]) => value !== undefined && value !== '');
  const result = settled.safeParse(Object.fromEntries(set));
  if (!result.success) {
    const faults = result.error.issues.map(
      ({ path, message }) => `${path.map(String).join('.')} ${message}`,
    );
    throw new SettingsError(`The settings cannot be used: ${faults.join('; ')}.`);
  }
  return settingsOf(result.data);
}

/** What holds where others than this machine can call. */
const onNetwork = { rateLimitPerKey: 6_000, rateLimitPerAddress: 12_000, drainMs: 5_000 };
const onLoopback = { rateLimitPerKey: 0, rateLimitPerAddress: 0, drainMs: 0 };

export function isLoopback(host: string): boolean {
  if (host === 'localhost') return true;
  return ipaddr.isValid(host) && ipaddr.parse(host).range() === 'loopback';
}

function settingsOf(data: z.output<typeof settled>): Settings {
  const { WEBHOOK_URL: url, WEBHOOK_SECRET: secret } = data;
  const { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile } = data;
  const usual = isLoopback(data.HOST) ? onLoopback : onNetwork;
  return {
    mongodbUri: data.MONGODB_URI,
    mongodbDatabase: data.MONGODB_DATABASE,
    host: data.HOST,
    port: data.PORT,
    requestDeadlineMs: data.REQUEST_DEADLINE_MS,
    dockHoldSeconds: data.DOCK_HOLD_SECONDS,
    availabilityCacheSeconds: data.AVAILABILITY_CACHE_SECONDS,
    rateLimitPerKey: data.RATE_LIMIT_PER_KEY ?? usual.rateLimitPerKey,
    rateLimitPerAddress: data.RATE_LIMIT_PER_ADDRESS ?? usual.rateLimitPerAddress,
    trustProxy: data.TRUST_PROXY,
    tls: certFile === undefined || keyFile === undefined ? undefined : { certFile, keyFile },
    drainMs: usual.drainMs,
    adminApiKey: data.ADMIN_API_KEY,
    webhook: url === undefined || secret === undefined ? undefined : { url, secret },
    logLevel: data.LOG_LEVEL,
  };
}
