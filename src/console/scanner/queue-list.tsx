import type { Draft, QueuedAction } from '../device/database.ts';
import { dismiss, lastOutcome, waiting } from '../device/queue.ts';
import { texts } from '../texts.ts';

/** What became of the last action, what waits to be sent, and what was refused. */
export function QueueList() {
  const outcome = lastOutcome.value;
  const actions = waiting.value;
  const queued = actions.filter(({ state }) => state === 'queued');
  const refused = actions.filter(({ state }) => state === 'refused');
  return (
    <>
      <p role="status" class={outcome?.kind}>
        {outcome === undefined
          ? texts.queue.nothing
          : texts.queue.outcomes[outcome.kind](told(outcome.action.draft))}
      </p>
      {queued.length === 0 ? null : (
        <p class="queued" data-queued={queued.length}>
          {texts.queue.waiting(queued.length)}
        </p>
      )}
      {refused.length === 0 ? null : (
        <section>
          <h2>{texts.queue.refused}</h2>
          <ul class="plain-list">
            {refused.map((action) => (
              <Refused key={action.seq} action={action} />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function Refused({ action }: { readonly action: QueuedAction }) {
  return (
    <li class="refused">
      <strong>{told(action.draft)}</strong>
      <p>{action.refusal}</p>
      <button type="button" onClick={() => void dismiss(action)}>
        {texts.queue.dealtWith}
      </button>
    </li>
  );
}

function told(draft: Draft): string {
  if (draft.kind === 'tally') {
    const { counted, sku, location } = draft.tally;
    return texts.queue.tally(counted, sku, location);
  }
  const { movement } = draft;
  const work = texts.work.names[movement.type];
  switch (movement.type) {
    case 'receive':
    case 'ship': {
      const { quantity, unit, sku, location } = movement;
      return texts.queue.movement(work, `${quantity} ${unit}`, sku, location);
    }
    case 'transfer': {
      const { quantity, unit, sku, from, to } = movement;
      return texts.queue.movement(work, `${quantity} ${unit}`, sku, `${from} → ${to}`);
    }
    case 'adjust': {
      const { delta, sku, location } = movement;
      return texts.queue.movement(work, delta > 0 ? `+${delta}` : String(delta), sku, location);
    }
  }
}
