import { useState } from 'preact/hooks';
import { ask } from '../api.ts';
import { texts } from '../texts.ts';
import { InstantField, NumberField } from '../ui/field.tsx';
import { useRequestKeys } from '../ui/request-key.ts';
import { ToldBox, useTold } from '../ui/told.tsx';

const capacityAtMost = 500;

/** A new slot of a warehouse. */
export function SlotForm({
  warehouse,
  made,
}: {
  readonly warehouse: string;
  readonly made: () => void;
}) {
  const [startsAt, start] = useState('');
  const [endsAt, end] = useState('');
  const [capacity, take] = useState('1');
  const keyOf = useRequestKeys();
  const { told, doing } = useTold();
  const make = async (): Promise<void> => {
    const body = {
      warehouse,
      startsAt: new Date(startsAt).toISOString(),
      endsAt: new Date(endsAt).toISOString(),
      capacity: Number(capacity),
    };
    const isMade = await doing(
      () => ask('/v1/dock/slots', { method: 'POST', body, idempotencyKey: keyOf(body) }),
      () => texts.dock.made,
    );
    if (isMade) made();
  };
  return (
    <form
      class="card"
      onSubmit={(event) => {
        event.preventDefault();
        void make();
      }}
    >
      <h2>{texts.dock.make(warehouse)}</h2>
      <InstantField label={texts.dock.startsAt} value={startsAt} type={start} />
      <InstantField label={texts.dock.endsAt} value={endsAt} type={end} />
      <NumberField label={texts.dock.capacity} value={capacity} most={capacityAtMost} type={take} />
      <button type="submit" disabled={startsAt === '' || endsAt === ''}>
        {texts.dock.makeIt}
      </button>
      <ToldBox told={told} />
    </form>
  );
}
