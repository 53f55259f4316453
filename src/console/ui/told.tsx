/** What became of what somebody did, where they did it. */
import { useState } from 'preact/hooks';
import type { Answer } from '../api.ts';
import { explained } from '../api.ts';
import { texts } from '../texts.ts';

export type Told =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'working'; readonly progress?: string }
  | { readonly kind: 'done'; readonly text: string }
  | { readonly kind: 'refused'; readonly text: string };

export interface Teller {
  readonly told: Told;
  readonly tell: (told: Told) => void;
  /** Runs one request; `done` says what to show. */
  readonly doing: <T>(
    work: () => Promise<Answer<T>>,
    done: (value: T) => string,
  ) => Promise<boolean>;
}

export function useTold(): Teller {
  const [told, tell] = useState<Told>({ kind: 'nothing' });
  return {
    told,
    tell,
    doing: async (work, done) => {
      tell({ kind: 'working' });
      const answer = await work();
      if (answer.kind === 'ok') tell({ kind: 'done', text: done(answer.value) });
      else tell({ kind: 'refused', text: whyRefused(answer) });
      return answer.kind === 'ok';
    },
  };
}

export function whyRefused(answer: Exclude<Answer<unknown>, { readonly kind: 'ok' }>): string {
  if (answer.kind === 'unreachable') return explained(answer);
  const faults = (answer.problem.errors ?? []).map(({ path, message }) => `${path} ${message}`);
  return [explained(answer), ...faults].join(' ');
}

export function ToldBox({ told }: { readonly told: Told }) {
  switch (told.kind) {
    case 'nothing':
      return null;
    case 'working':
      return <p role="status">{told.progress ?? texts.working}</p>;
    case 'done':
      return (
        <p role="status" class="done">
          {told.text}
        </p>
      );
    case 'refused':
      return (
        <p role="alert" class="refused">
          {told.text}
        </p>
      );
  }
}
