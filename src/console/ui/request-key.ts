/**
 * Idempotency keys of a form: the same request again has the same key, so a second click or a try
 * after a lost answer has one effect; a corrected form is another request.
 */
import { useRef } from 'preact/hooks';
import { v4 as uuid } from 'uuid';

export function useRequestKeys(): (request: unknown) => string {
  const keys = useRef(new Map<string, string>());
  return (request) => {
    const text = JSON.stringify(request);
    const key = keys.current.get(text) ?? uuid();
    keys.current.set(text, key);
    return key;
  };
}
