/** Instants as answers show them: RFC 3339, milliseconds, UTC. */
import type { Instant } from '../domain/ids.ts';

export function instantText(instant: Instant): string {
  return new Date(instant).toISOString();
}
