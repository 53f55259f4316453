import type { MovementAnswer } from '../answers.ts';
import { texts } from '../texts.ts';
import { Instant } from '../ui/instant.tsx';
import { Table } from '../ui/table.tsx';

export function MovementTable({ movements }: { readonly movements: readonly MovementAnswer[] }) {
  return (
    <Table
      columns={[
        texts.words.ordinal,
        texts.words.when,
        texts.words.sku,
        texts.words.type,
        texts.words.change,
        texts.words.who,
        texts.words.reason,
      ]}
      rows={movements.map((movement) => ({
        key: `${movement.sku} ${movement.ordinal}`,
        cells: [
          movement.ordinal,
          <Instant at={movement.at} />,
          <a href={`/skus/${encodeURIComponent(movement.sku)}/history`}>{movement.sku}</a>,
          movement.type,
          <Change movement={movement} />,
          movement.actor,
          reasonOf(movement),
        ],
      }))}
    />
  );
}

function Change({ movement: { lines, reservation } }: { readonly movement: MovementAnswer }) {
  const levels = lines.map(({ location, delta, onHand }) =>
    texts.history.line(location, delta > 0 ? `+${delta}` : String(delta), onHand),
  );
  if (reservation === undefined) return <>{levels.join('; ')}</>;
  const { location, quantity, state, expiresAt } = reservation;
  return (
    <>
      {[...levels, texts.history.holds[state](quantity, location)].join('; ')}
      {state !== 'held' || expiresAt === null ? null : (
        <>
          {' '}
          {texts.history.until} <Instant at={expiresAt} />
        </>
      )}
    </>
  );
}

function reasonOf({ reason, reverses, reference, note }: MovementAnswer): string {
  const undone = reverses === undefined ? undefined : texts.history.reverses(reverses);
  return [reason, undone, reference, note].filter((part) => part !== undefined).join(', ');
}
