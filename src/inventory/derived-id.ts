/**
 * Ids made from the action that makes the thing: a repeat of the action, through whichever process,
 * makes the same id, and nobody has to keep one in between.
 */
import { hash } from 'node:crypto';
import type { ActionId } from '../domain/ids.ts';

/** 128 bits: no two of any number of actions that a stock can see will meet. */
const idBytes = 16;

/** @param parse of an id that is made of 22 characters of base64url. */
export function derivedId<Id>(action: ActionId, parse: (text: string) => Id | undefined): Id {
  const digest = hash('sha256', action, 'buffer');
  const id = parse(digest.subarray(0, idBytes).toString('base64url'));
  if (id === undefined) throw new TypeError('16 bytes make 22 characters of base64url');
  return id;
}
