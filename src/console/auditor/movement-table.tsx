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
          changeOf(movement),
          movement.actor,
          [movement.reason, movement.reference, movement.note]
            .filter((part) => part !== undefined)
            .join(', '),
        ],
      }))}
    />
  );
}

function changeOf({ lines }: MovementAnswer): string {
  return lines
    .map(({ location, delta, onHand }) =>
      texts.history.line(location, delta > 0 ? `+${delta}` : String(delta), onHand),
    )
    .join('; ');
}
