import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { CountAnswer, CountSummaryAnswer } from '../answers.ts';
import { ask } from '../api.ts';
import { mayManage } from '../session.ts';
import { texts } from '../texts.ts';
import { TextField } from '../ui/field.tsx';
import { Heading } from '../ui/heading.tsx';
import { Instant } from '../ui/instant.tsx';
import { listed } from '../ui/listed-text.ts';
import { useListed } from '../ui/listed.ts';
import { useRequestKeys } from '../ui/request-key.ts';
import { Rest } from '../ui/rest.tsx';
import { Table } from '../ui/table.tsx';
import { ToldBox, useTold } from '../ui/told.tsx';

export function CountList() {
  const list = useListed<CountSummaryAnswer>('/v1/stock-counts');
  return (
    <section>
      <Heading text={texts.nav.counts} />
      {mayManage() ? <OpenForm /> : null}
      <Table
        columns={[texts.words.when, texts.words.location, texts.words.status, texts.words.counted]}
        rows={list.items.map(({ id, openedAt, locations, status, countedCount, lineCount }) => ({
          key: id,
          cells: [
            <a href={`/counts/${id}`}>
              <Instant at={openedAt} />
            </a>,
            locations.join(', '),
            status,
            texts.counts.progress(countedCount, lineCount),
          ],
        }))}
      />
      <Rest list={list} none={texts.counts.none} />
    </section>
  );
}

function OpenForm() {
  const { route } = useLocation();
  const [locations, place] = useState('');
  const [skus, name] = useState('');
  const [isBlind, blind] = useState(false);
  const keyOf = useRequestKeys();
  const { told, doing } = useTold();
  const submit = async (): Promise<void> => {
    const named = listed(skus);
    const body = {
      locations: listed(locations),
      ...(named.length === 0 ? {} : { skus: named }),
      blind: isBlind,
    };
    let id = '';
    const isOpen = await doing(
      () =>
        ask<CountAnswer>('/v1/stock-counts', { method: 'POST', body, idempotencyKey: keyOf(body) }),
      (count) => {
        ({ id } = count);
        return texts.counts.opened;
      },
    );
    if (isOpen) route(`/counts/${id}`);
  };
  return (
    <form
      class="card"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <h2>{texts.counts.make}</h2>
      <TextField label={texts.counts.locations} required value={locations} type={place} />
      <TextField label={texts.counts.skus} value={skus} type={name} />
      <label class="choice">
        <input
          type="checkbox"
          checked={isBlind}
          onChange={({ currentTarget }) => {
            blind(currentTarget.checked);
          }}
        />
        {texts.counts.blind}
      </label>
      <button type="submit">{texts.counts.make}</button>
      <ToldBox told={told} />
    </form>
  );
}
