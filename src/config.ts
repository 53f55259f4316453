/** The settings: read from the environment once, and refused with the name of what is wrong. */
import { z } from 'zod';

const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,10}$/, `must be a whole number from ${least} to ${most}`)
    .transform(Number)
    .refine((value) => value >= least && value <= most, {
      error: `must be a whole number from ${least} to ${most}`,
    });

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

/** What is signed with nothing could be anybody's. */
const settled = environment.refine(
  ({ WEBHOOK_URL, WEBHOOK_SECRET }) => WEBHOOK_URL === undefined || WEBHOOK_SECRET !== undefined,
  { path: ['WEBHOOK_SECRET'], error: 'must be set where WEBHOOK_URL is' },
);

export interface Settings {
  readonly mongodbUri: string;
  readonly mongodbDatabase: string;
  readonly host: string;
  readonly port: number;
  readonly requestDeadlineMs: number;
  /** The secret of the key named `admin`; without it there is no such key. */
  readonly adminApiKey: string | undefined;
  /** Where callers' reminders go; without it they stay due. */
  readonly webhook: { readonly url: string; readonly secret: string } | undefined;
  readonly logLevel: string;
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
  const { data } = result;
  const { WEBHOOK_URL: url, WEBHOOK_SECRET: secret } = data;
  return {
    mongodbUri: data.MONGODB_URI,
    mongodbDatabase: data.MONGODB_DATABASE,
    host: data.HOST,
    port: data.PORT,
    requestDeadlineMs: data.REQUEST_DEADLINE_MS,
    adminApiKey: data.ADMIN_API_KEY,
    webhook: url === undefined || secret === undefined ? undefined : { url, secret },
    logLevel: data.LOG_LEVEL,
  };
}
