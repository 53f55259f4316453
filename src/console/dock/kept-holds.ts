/**
 * The appointments that were made or looked up in this tab, the newest first. The service knows
 * what became of each; kept is only which ones somebody works on, so that a reload loses none.
 */
import { signal } from '@preact/signals';

const place = 'stockroom-dock-holds';
const atMost = 20;

export const keptHolds = signal<readonly string[]>(restored());

export function keepHold(id: string): void {
  keep([id, ...keptHolds.value.filter((other) => other !== id)].slice(0, atMost));
}

export function forgetHold(id: string): void {
  keep(keptHolds.value.filter((other) => other !== id));
}

function keep(ids: readonly string[]): void {
  sessionStorage.setItem(place, JSON.stringify(ids));
  keptHolds.value = ids;
}

function restored(): readonly string[] {
  const kept: unknown = JSON.parse(sessionStorage.getItem(place) ?? '[]');
  return Array.isArray(kept) ? kept.filter((id) => typeof id === 'string') : [];
}
