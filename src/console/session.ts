/**
 * Who is signed in: the API key and what it may do. The key stays in this tab, or on the device
 * where its holder asks for that.
 */
import { signal } from '@preact/signals';

export type Role = 'scanner' | 'back_office' | 'auditor' | 'admin';

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

function isRole(role: unknown): role is Role {
  return role === 'scanner' || role === 'back_office' || role === 'auditor' || role === 'admin';
}

/** Whether the holder may change SKUs, locations, orders and counts. */
export function mayManage(): boolean {
  const role = session.value?.role;
  return role === 'back_office' || role === 'admin';
}
