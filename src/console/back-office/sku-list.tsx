import { useState } from 'preact/hooks';
import type { Page } from '../api.ts';
import { texts } from '../texts.ts';
import { useAsked } from '../ui/asked.ts';
import { Showing } from '../ui/shown.tsx';

interface SkuRow {
  readonly sku: string;
  readonly description: string;
  readonly totals: {
    readonly onHand: number;
    readonly reserved: number;
    readonly available: number;
  };
}

export function SkuList() {
  const [q, search] = useState('');
  const matching = q.trim() === '' ? '' : `&q=${encodeURIComponent(q.trim())}`;
  const asking = useAsked<Page<SkuRow>>(`/v1/skus?limit=50${matching}`);
  return (
    <section>
      <h1>{texts.nav.skus}</h1>
      <label>
        {texts.skus.search}
        <input
          type="search"
          value={q}
          onInput={({ currentTarget }) => {
            search(currentTarget.value);
          }}
        />
      </label>
      <Showing asking={asking}>{({ items }) => <SkuTable rows={items} />}</Showing>
    </section>
  );
}

function SkuTable({ rows }: { readonly rows: readonly SkuRow[] }) {
  if (rows.length === 0) return <p role="status">{texts.skus.none}</p>;
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{texts.words.sku}</th>
          <th scope="col">{texts.words.description}</th>
          <th scope="col" class="number">
            {texts.words.onHand}
          </th>
          <th scope="col" class="number">
            {texts.words.available}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ sku, description, totals }) => (
          <tr key={sku}>
            <th scope="row">
              <a href={`/skus/${encodeURIComponent(sku)}`}>{sku}</a>
            </th>
            <td>{description}</td>
            <td class="number">{totals.onHand}</td>
            <td class="number">{totals.available}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
