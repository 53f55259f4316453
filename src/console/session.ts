/**
 * Who is signed in: the API key and what it may do. The key stays in this tab, or on the device
 * where its holder asks for that.
 */
import { signal } from '@preact/signals';
import type { Role } from './role.ts';
import { isRole } from './role.ts';

export interface Session {
  readonly key: string;
  readonly name: string;
  readonly role: Role;
  /** Absent where every warehouse is within reach. */
  readonly warehouses?: readonly string[];
}

const place = 'stockroom-session';

export const session = signal<Session | undefined>(restored());

export function signIn(entered: Session, keep: 'tab' | 'device'): void {
  const store = keep === 'tab' ? sessionStorage : localStorage;
  store.setItem(place, JSON.stringify(entered));
  session.value = entered;
}

export function signOut(): void {
  sessionStorage.removeItem(place);
  localStorage.removeItem(place);
  session.value = undefined;
}

function restored(): Session | undefined {
  const text = sessionStorage.getItem(place) ?? localStorage.getItem(place);
  if (text === null) return undefined;
  const kept: unknown = JSON.parse(text);
  return isSession(kept) ? kept : undefined;
}

function isSession(kept: unknown): kept is Session {
  return (
    typeof kept === 'object' &&
    kept !== null &&
    'key' in kept &&
    typeof kept.key === 'string' &&
    'name' in kept &&
    typeof kept.name === 'string' &&
    'role' in kept &&
    isRole(kept.role)
  );
}

/** Whether the holder may move and promise stock. */
export function mayHandle(): boolean {
  return mayManage() || session.value?.role === 'scanner';
}

/** Whether the holder may change SKUs, locations, orders and counts. */
export function mayManage(): boolean {
  const role = session.value?.role;
  return role === 'back_office' || role === 'admin';
}
