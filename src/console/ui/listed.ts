/** A list of the service, page after page as it is asked for. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Answer, Page } from '../api.ts';
import { ask, pageOf } from '../api.ts';

export interface Listed<T> {
  readonly items: readonly T[];
  readonly state: 'loading' | 'more' | 'all' | Exclude<Answer<unknown>, { readonly kind: 'ok' }>;
  readonly more: () => void;
  readonly again: () => void;
}

/** @param path with the list's filters, without limit and cursor. */
export function useListed<T>(path: string, limit = 50): Listed<T> {
  const [items, setItems] = useState<readonly T[]>([]);
  const [state, setState] = useState<Listed<T>['state']>('loading');
  const [turn, setTurn] = useState(0);
  const next = useRef<string | null>(null);
  const leaving = useRef(new AbortController());
  const load = useCallback(
    async (before: readonly T[]): Promise<void> => {
      const { signal } = leaving.current;
      setState('loading');
      const answer = await ask<Page<T>>(pageOf(path, limit, next.current), { signal });
      if (signal.aborted) return;
      if (answer.kind !== 'ok') {
        setState(answer);
        return;
      }
      next.current = answer.value.nextCursor;
      setItems([...before, ...answer.value.items]);
      setState(next.current === null ? 'all' : 'more');
    },
    [path, limit],
  );
  useEffect(() => {
    leaving.current = new AbortController();
    next.current = null;
    void load([]);
    return () => {
      leaving.current.abort();
    };
  }, [load, turn]);
  return {
    items,
    state,
    more: () => void load(items),
    again: () => {
      setTurn((last) => last + 1);
    },
  };
}
