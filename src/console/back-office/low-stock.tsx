import { useEffect, useState } from 'preact/hooks';
import type { SkuAnswer } from '../answers.ts';
import { session } from '../session.ts';
import { texts } from '../texts.ts';
import { Heading } from '../ui/heading.tsx';
import { useListed } from '../ui/listed.ts';
import { Rest } from '../ui/rest.tsx';
import { Table } from '../ui/table.tsx';

const pageSize = 200;

/** What is available less than its reorder point says, as of now. */
export function LowStock() {
  const warehouses = session.value?.warehouses;
  const list = useListed<SkuAnswer>('/v1/skus', pageSize);
  const [isThrough, finish] = useState(false);
  useEffect(() => {
    if (list.state === 'more') list.more();
    finish(list.state === 'all');
  }, [list.state]);
  const low = list.items.filter(
    ({ reorderPoint, totals, status }) =>
      status === 'active' && reorderPoint !== undefined && totals.available < reorderPoint,
  );
  return (
    <section>
      <Heading text={texts.nav.lowStock} />
      {warehouses === undefined ? null : <p>{texts.low.scoped(warehouses.join(', '))}</p>}
      <Table
        columns={[
          texts.words.sku,
          texts.words.description,
          texts.words.available,
          texts.words.reorderPoint,
        ]}
        rows={low.map(({ sku, description, totals, reorderPoint }) => ({
          key: sku,
          cells: [
            <a href={`/skus/${encodeURIComponent(sku)}`}>{sku}</a>,
            description,
            totals.available,
            reorderPoint,
          ],
        }))}
      />
      {isThrough ? (
        low.length === 0 && <p role="status">{texts.low.none}</p>
      ) : list.state === 'loading' || list.state === 'more' ? (
        <p role="status">{texts.low.looking(list.items.length)}</p>
      ) : (
        <Rest list={list} none={texts.low.none} />
      )}
    </section>
  );
}
