/** Appointments that somebody works on: confirmed, cancelled, or left to lapse. */
import { useEffect, useState } from 'preact/hooks';
import type { DockHoldAnswer } from '../answers.ts';
import { ask } from '../api.ts';
import { mayManage } from '../session.ts';
import { texts } from '../texts.ts';
import { useAsked } from '../ui/asked.ts';
import { TextField } from '../ui/field.tsx';
import { Instant } from '../ui/instant.tsx';
import { useRequestKeys } from '../ui/request-key.ts';
import { Showing } from '../ui/shown.tsx';
import { ToldBox, useTold } from '../ui/told.tsx';
import { forgetHold, keepHold, keptHolds } from './kept-holds.ts';

export function HoldList({ changed }: { readonly changed: () => void }) {
  return (
    <>
      <h2>{texts.dock.holds}</h2>
      {keptHolds.value.length === 0 ? <p>{texts.dock.noHold}</p> : null}
      <ul class="plain-list">
        {keptHolds.value.map((id) => (
          <li key={id} class="card">
            <Hold id={id} changed={changed} />
          </li>
        ))}
      </ul>
      <Finder />
    </>
  );
}

/** One that was made elsewhere. */
function Finder() {
  const [id, type] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        keepHold(id.trim());
        type('');
      }}
    >
      <TextField label={texts.dock.find} required value={id} type={type} />
      <button type="submit">{texts.history.show}</button>
    </form>
  );
}

function Hold({ id, changed }: { readonly id: string; readonly changed: () => void }) {
  const path = `/v1/dock/holds/${encodeURIComponent(id)}`;
  const asking = useAsked<DockHoldAnswer>(path);
  return (
    <>
      <h3>{texts.dock.appointment(id)}</h3>
      <Showing asking={asking}>
        {(hold) => (
          <HoldState
            hold={hold}
            path={path}
            changed={() => {
              asking.again();
              changed();
            }}
          />
        )}
      </Showing>
      <button
        type="button"
        class="plain"
        aria-label={`${texts.dock.putAway} ${id}`}
        onClick={() => {
          forgetHold(id);
        }}
      >
        {texts.dock.putAway}
      </button>
    </>
  );
}

interface StateParts {
  readonly hold: DockHoldAnswer;
  readonly path: string;
  readonly changed: () => void;
}

function HoldState({ hold, path, changed }: StateParts) {
  const { status, seats, expiresAt, purchaseOrder } = hold;
  const keyOf = useRequestKeys();
  const { told, doing } = useTold();
  useLapse(status === 'held' ? expiresAt : null, changed);
  const act = async (what: 'confirm' | 'cancel'): Promise<void> => {
    await doing(
      () =>
        what === 'confirm'
          ? ask(`${path}/confirm`, { method: 'POST', idempotencyKey: keyOf(what) })
          : ask(path, { method: 'DELETE', idempotencyKey: keyOf(what) }),
      () => texts.dock.done[what],
    );
    changed();
  };
  const canEnd = mayManage() && (status === 'held' || status === 'confirmed');
  return (
    <>
      <p>
        {texts.dock.statuses[status]}, {texts.dock.places(seats)}
        {purchaseOrder === undefined ? null : `, ${purchaseOrder}`}
        {status === 'held' && expiresAt !== null ? (
          <>
            , {texts.history.until} <Instant at={expiresAt} />
          </>
        ) : null}
      </p>
      <div class="actions">
        {mayManage() && status === 'held' ? (
          <button type="button" onClick={() => void act('confirm')}>
            {texts.dock.confirm}
          </button>
        ) : null}
        {canEnd ? (
          <button type="button" class="plain" onClick={() => void act('cancel')}>
            {texts.dock.cancel}
          </button>
        ) : null}
      </div>
      <ToldBox told={told} />
    </>
  );
}

const longestTimerMs = 2_000_000_000;

/** What is held is asked for again when it has lapsed by this device's clock. */
function useLapse(expiresAt: string | null, lapsed: () => void): void {
  useEffect(() => {
    if (expiresAt === null) return undefined;
    const inMs = Date.parse(expiresAt) - Date.now() + 1_000;
    const timer = setTimeout(lapsed, Math.min(longestTimerMs, Math.max(1_000, inMs)));
    return () => {
      clearTimeout(timer);
    };
  }, [expiresAt]);
}
