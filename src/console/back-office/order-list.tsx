import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { OrderAnswer } from '../answers.ts';
import { ask } from '../api.ts';
import { mayManage } from '../session.ts';
import { texts } from '../texts.ts';
import { Back } from '../ui/back.tsx';
import { Choice, Labelled, TextField } from '../ui/field.tsx';
import { Heading } from '../ui/heading.tsx';
import { useListed } from '../ui/listed.ts';
import { useRequestKeys } from '../ui/request-key.ts';
import { Rest } from '../ui/rest.tsx';
import { Table } from '../ui/table.tsx';
import { ToldBox, useTold } from '../ui/told.tsx';
import { Transfer } from './transfer.tsx';
import { orderTransfer } from './transferred.ts';

const statuses = ['', 'open', 'partial', 'complete', 'closed', 'cancelled'] as const;

export function OrderList() {
  const [status, choose] = useState('');
  const list = useListed<OrderAnswer>(`/v1/purchase-orders${status && `?status=${status}`}`);
  return (
    <section>
      <Heading text={texts.nav.orders} />
      {mayManage() ? (
        <p>
          <a class="button" href="/new-order">
            {texts.orders.make}
          </a>
        </p>
      ) : null}
      <Choice
        label={texts.words.status}
        value={status}
        options={statuses}
        name={(one) => one || texts.history.any}
        choose={choose}
      />
      <Table
        columns={[texts.orders.number, texts.words.supplier, texts.words.status]}
        rows={list.items.map(({ number, supplier, status: its }) => ({
          key: number,
          cells: [<a href={`/orders/${encodeURIComponent(number)}`}>{number}</a>, supplier, its],
        }))}
      />
      <Rest list={list} none={texts.orders.none} />
      <Transfer list={orderTransfer} written={list.again} />
    </section>
  );
}

export function NewOrder() {
  const { route } = useLocation();
  const [number, name] = useState('');
  const [supplier, choose] = useState('');
  const [text, type] = useState('');
  const keyOf = useRequestKeys();
  const { told, tell, doing } = useTold();
  const submit = async (): Promise<void> => {
    const lines = orderLines(text);
    if (typeof lines === 'number') {
      tell({ kind: 'refused', text: texts.orders.badLine(lines) });
      return;
    }
    const body = { number: number.trim(), supplier: supplier.trim(), lines };
    const idempotencyKey = keyOf(body);
    const isMade = await doing(
      () => ask('/v1/purchase-orders', { method: 'POST', body, idempotencyKey }),
      () => texts.orders.made(body.number),
    );
    if (isMade) route(`/orders/${encodeURIComponent(body.number)}`);
  };
  return (
    <section>
      <Back to="/orders" text={texts.nav.orders} />
      <Heading text={texts.orders.make} />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <TextField label={texts.orders.number} required value={number} type={name} />
        <TextField label={texts.words.supplier} required value={supplier} type={choose} />
        <Labelled label={texts.orders.lines}>
          <textarea
            rows={6}
            required
            value={text}
            onInput={({ currentTarget }) => {
              type(currentTarget.value);
            }}
          />
        </Labelled>
        <button type="submit">{texts.save}</button>
        <ToldBox told={told} />
      </form>
    </section>
  );
}

interface NewLine {
  readonly line: number;
  readonly sku: string;
  readonly ordered: number;
  readonly unit?: string;
}

/** @returns the row that can't be read, where there is one. */
function orderLines(text: string): readonly NewLine[] | number {
  const rows = text.split('\n').filter((row) => row.trim() !== '');
  const lines: NewLine[] = [];
  for (const [index, row] of rows.entries()) {
    const [, sku, ordered, unit] =
      /^(.+?)[,;\t]\s*(\d+)\s*(?:[,;\t]\s*(.*\S))?\s*$/.exec(row) ?? [];
    if (sku === undefined || Number(ordered) < 1) return index + 1;
    const base = { line: index + 1, sku: sku.trim(), ordered: Number(ordered) };
    lines.push(unit === undefined ? base : { ...base, unit });
  }
  return lines.length === 0 ? 1 : lines;
}
