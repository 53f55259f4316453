/** What a page shows of the service: loading, there, or why not. */
import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Answer, Asked } from '../api.ts';
import { ask, askAll } from '../api.ts';

export type Shown<T> = { readonly kind: 'loading' } | Answer<T>;

export interface Asking<T> {
  readonly shown: Shown<T>;
  readonly again: () => void;
}

export function useAsked<T>(path: string): Asking<T> {
  return useAnswer(path, ask<T>);
}

/** A whole list, where there are never so many that they are shown in parts. */
export function useAll<T>(path: string): Asking<readonly T[]> {
  return useAnswer(path, askAll<T>);
}

/** Asks when the path changes and when told; an answer to an earlier question is let go. */
function useAnswer<T>(
  path: string,
  asker: (path: string, asked: Asked) => Promise<Answer<T>>,
): Asking<T> {
  const [shown, show] = useState<Shown<T>>({ kind: 'loading' });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const leaving = new AbortController();
    void asker(path, { signal: leaving.signal }).then((answer) => {
      if (!leaving.signal.aborted) show(answer);
    });
    return () => {
      leaving.abort();
    };
  }, [path, turn]);
  const again = useCallback(() => {
    setTurn((last) => last + 1);
  }, []);
  return { shown, again };
}
