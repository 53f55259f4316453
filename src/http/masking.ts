/**
 * The last line of defence of the log: whatever text a line is made of, no secret stands in it, and
 * it stays one line. Nothing logs a secret on purpose; errors of others may carry one.
 */

/** A secret that a caller sent, whoever quotes the header. */
const bearer = /\b(bearer\s+)[\x21\x23-\x5b\x5d-\x7e]+/gi;
/** A key of this service, wherever a caller pastes it: an id of a request may look like one. */
const ownKey = /stk_[A-Za-z0-9_-]{20,}/g;
/** Line breaks that JSON lets stand as they are. */
const lineBreaks = /[\u0085\u2028\u2029]/g;
const censor = '[redacted]';
/** A shorter text is hardly secret, and stands in many a word. */
const shortest = 6;

/** @param secrets of this process, each replaced wherever it stands, in JSON text too. */
export function maskOf(secrets: readonly string[]): (text: string) => string {
  const written = secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  // The longest first, so that none is left in part because it holds another.
  const masked = Array.from(new Set(written))
    .filter(({ length }) => length >= shortest)
    .toSorted((one, other) => other.length - one.length);
  return (text) =>
    masked
      .reduce((line, secret) => line.replaceAll(secret, censor), text)
      .replace(bearer, `$1${censor}`)
      .replace(ownKey, censor)
      .replace(lineBreaks, ' ');
}
