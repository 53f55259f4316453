/** What is promised of a SKU, and its release. */
import type { ReservationAnswer } from '../answers.ts';
import { ask } from '../api.ts';
import { mayHandle } from '../session.ts';
import { texts } from '../texts.ts';
import { Instant } from '../ui/instant.tsx';
import { useRequestKeys } from '../ui/request-key.ts';
import { Table } from '../ui/table.tsx';
import { ToldBox, useTold } from '../ui/told.tsx';

export function Reservations({
  sku,
  held,
  released,
}: {
  readonly sku: string;
  readonly held: readonly ReservationAnswer[];
  readonly released: () => void;
}) {
  const keyOf = useRequestKeys();
  const { told, doing } = useTold();
  const release = async ({ id, quantity, location }: ReservationAnswer): Promise<void> => {
    const path = `/v1/skus/${encodeURIComponent(sku)}/reservations/${encodeURIComponent(id)}`;
    const isReleased = await doing(
      () => ask(path, { method: 'DELETE', idempotencyKey: keyOf(id) }),
      () => texts.history.holds.released(quantity, location),
    );
    if (isReleased) released();
  };
  return (
    <>
      <h2>{texts.reservations.heading}</h2>
      {held.length === 0 ? <p>{texts.reservations.none}</p> : null}
      <Table
        columns={[
          texts.words.location,
          texts.words.quantity,
          texts.reservations.until,
          texts.reservations.release,
        ]}
        rows={held.map((one) => ({
          key: one.id,
          cells: [
            one.location,
            one.quantity,
            one.expiresAt === null ? texts.reservations.endless : <Instant at={one.expiresAt} />,
            mayHandle() ? (
              <button
                type="button"
                class="plain"
                aria-label={`${texts.reservations.release} ${one.quantity}, ${one.location}`}
                onClick={() => void release(one)}
              >
                {texts.reservations.release}
              </button>
            ) : null,
          ],
        }))}
      />
      <ToldBox told={told} />
    </>
  );
}
