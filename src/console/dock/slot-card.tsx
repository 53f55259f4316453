import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { DockHoldAnswer, DockSlotAnswer } from '../answers.ts';
import { ask } from '../api.ts';
import { mayManage } from '../session.ts';
import { texts } from '../texts.ts';
import { NumberField, TextField } from '../ui/field.tsx';
import { Day, TimeOfDay } from '../ui/instant.tsx';
import { useRequestKeys } from '../ui/request-key.ts';
import { ToldBox, useTold } from '../ui/told.tsx';
import { keepHold } from './kept-holds.ts';

const seatsAtMost = 20;

/** One slot, and places of it for whoever asks. */
export function SlotCard({
  slot,
  changed,
}: {
  readonly slot: DockSlotAnswer;
  readonly changed: () => void;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  // Before anything is drawn, so that the next key of a quick hand goes on from here.
  useLayoutEffect(() => {
    heading.current?.focus();
  }, []);
  const isOver = Date.parse(slot.startsAt) <= Date.now();
  return (
    <div class="card">
      <h2 ref={heading} tabIndex={-1}>
        <Day at={slot.startsAt} />, <TimeOfDay at={slot.startsAt} />–<TimeOfDay at={slot.endsAt} />
      </h2>
      <p>{texts.dock.free(slot.remaining, slot.capacity)}</p>
      {isOver ? <p>{texts.dock.over}</p> : null}
      {mayManage() && !isOver ? <HoldForm slot={slot} changed={changed} /> : null}
    </div>
  );
}

function HoldForm({
  slot: { slot, capacity },
  changed,
}: {
  readonly slot: DockSlotAnswer;
  readonly changed: () => void;
}) {
  const [seats, setSeats] = useState('1');
  const [order, name] = useState('');
  const [turn, nextTurn] = useState(0);
  const keyOf = useRequestKeys();
  const { told, doing } = useTold();
  const hold = async (): Promise<void> => {
    const purchaseOrder = order.trim();
    const body = { seats: Number(seats), ...(purchaseOrder === '' ? {} : { purchaseOrder }) };
    // The same places once more are another hold; after a lost answer they are the same.
    const idempotencyKey = keyOf({ ...body, turn });
    const isHeld = await doing(
      () =>
        ask<DockHoldAnswer>(`/v1/dock/slots/${encodeURIComponent(slot)}/holds`, {
          method: 'POST',
          body,
          idempotencyKey,
        }),
      ({ id }) => {
        keepHold(id);
        return texts.dock.held;
      },
    );
    if (isHeld) nextTurn(turn + 1);
    changed();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void hold();
      }}
    >
      <NumberField
        label={texts.dock.seats}
        value={seats}
        most={Math.min(seatsAtMost, capacity)}
        type={setSeats}
      />
      <TextField label={texts.dock.order} value={order} type={name} />
      <button type="submit">{texts.dock.hold}</button>
      <ToldBox told={told} />
    </form>
  );
}
