/** Instants as answers show them: RFC 3339, milliseconds, UTC. */
import type { Instant } from '../domain/ids.ts';

export function instantText(instant: Instant): string {
  return new Date(instant).toISOString();
}

/** RFC 3339 has years of four digits; an offset leads out of them at either end. */
export function canBeShown(instant: Instant): boolean {
  return /^\d{4}-/.test(instantText(instant));
}

/** The end of something that may have none. */
export function instantTextOrNull(instant: Instant | null): string | null {
  return instant === null ? null : instantText(instant);
}
