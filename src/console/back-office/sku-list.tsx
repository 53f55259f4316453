import { useState } from 'preact/hooks';
import type { SkuAnswer } from '../answers.ts';
import { mayManage } from '../session.ts';
import { texts } from '../texts.ts';
import { SearchField } from '../ui/field.tsx';
import { Heading } from '../ui/heading.tsx';
import { useListed } from '../ui/listed.ts';
import { Rest } from '../ui/rest.tsx';
import { Transfer } from './transfer.tsx';
import { skuTransfer } from './transferred.ts';
import { Windowed } from '../ui/windowed.tsx';

const pageSize = 200;

export function SkuList() {
  const [q, search] = useState('');
  const matching = q.trim() === '' ? '' : `?q=${encodeURIComponent(q.trim())}`;
  const list = useListed<SkuAnswer>(`/v1/skus${matching}`, pageSize);
  return (
    <section>
      <Heading text={texts.nav.skus} />
      <SearchField label={texts.skus.search} value={q} type={search} />
      {mayManage() ? (
        <p>
          <a class="button" href="/new-sku">
            {texts.skus.make}
          </a>
        </p>
      ) : null}
      <Windowed
        label={texts.nav.skus}
        columns={[
          texts.words.sku,
          texts.words.description,
          texts.words.onHand,
          texts.words.available,
        ]}
        count={list.items.length}
        nearEnd={() => {
          if (list.state === 'more') list.more();
        }}
        row={(index) => {
          const sku = list.items[index];
          return sku === undefined ? [] : cellsOf(sku);
        }}
      />
      <Rest list={list} none={texts.skus.none} />
      <Transfer list={skuTransfer} written={list.again} />
    </section>
  );
}

function cellsOf({ sku, description, totals }: SkuAnswer) {
  return [
    <a href={`/skus/${encodeURIComponent(sku)}`}>{sku}</a>,
    description,
    totals.onHand,
    totals.available,
  ];
}
