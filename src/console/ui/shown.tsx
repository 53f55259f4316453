import type { ComponentChildren } from 'preact';
import { explained } from '../api.ts';
import { texts } from '../texts.ts';
import type { Asking } from './asked.ts';

/** The answer once it is there; until then that it loads, or why it does not and what to do. */
export function Showing<T>({
  asking: { shown, again },
  children,
}: {
  readonly asking: Asking<T>;
  readonly children: (value: T) => ComponentChildren;
}) {
  if (shown.kind === 'ok') return <>{children(shown.value)}</>;
  if (shown.kind === 'loading') return <p role="status">{texts.loading}</p>;
  return (
    <div role="alert" class="refused">
      <p>{explained(shown)}</p>
      <button type="button" onClick={again}>
        {texts.tryAgain}
      </button>
    </div>
  );
}
