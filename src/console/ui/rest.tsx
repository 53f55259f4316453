import { explained } from '../api.ts';
import { texts } from '../texts.ts';
import type { Listed } from './listed.ts';

/** Below a list: that it loads, more of it, that it is empty, or why it stopped. */
export function Rest({ list, none }: { readonly list: Listed<unknown>; readonly none: string }) {
  const { state, items, more, again } = list;
  if (state === 'loading') return <p role="status">{texts.loading}</p>;
  if (state === 'all') return items.length === 0 ? <p role="status">{none}</p> : null;
  if (state === 'more') {
    return (
      <button type="button" onClick={more}>
        {texts.showMore}
      </button>
    );
  }
  return (
    <div role="alert" class="refused">
      <p>{explained(state)}</p>
      <button type="button" onClick={again}>
        {texts.tryAgain}
      </button>
    </div>
  );
}
