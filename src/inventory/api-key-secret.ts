/**
 * Secrets of API keys: `stk_`, 43 characters for 256 random bits, and 6 that check them.
 *
 * The check turns away what was cut off or mistyped without asking the database. It protects
 * nothing: whoever knows the form can make one.
 */
import { hash, randomBytes } from 'node:crypto';

/** SHA-256 of a secret, in hex: all that is kept of it. */
export type SecretDigest = string;

const prefix = 'stk_';
const randomLength = 32;
const form = /^stk_([A-Za-z0-9_-]{43})([A-Za-z0-9_-]{6})$/;

export function makeSecret(): string {
  const random = randomBytes(randomLength).toString('base64url');
  return `${prefix}${random}${checkOf(random)}`;
}

/** Whether the text can be a secret that this service made. */
export function isSecret(text: string): boolean {
  const [, random = '', check] = form.exec(text) ?? [];
  return check !== undefined && check === checkOf(random);
}

export function digestOfSecret(secret: string): SecretDigest {
  return hash('sha256', secret, 'hex');
}

function checkOf(random: string): string {
  return hash('sha256', `${prefix}${random}`, 'base64url').slice(0, 6);
}
