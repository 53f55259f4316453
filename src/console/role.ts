/** What the holder of a key may be. */
export type Role = 'scanner' | 'back_office' | 'auditor' | 'admin';

export function isRole(role: unknown): role is Role {
  return role === 'scanner' || role === 'back_office' || role === 'auditor' || role === 'admin';
}
