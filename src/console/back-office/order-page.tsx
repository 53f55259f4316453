import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import type { AppointmentAnswer, LocationAnswer, OrderAnswer, ReceiptAnswer } from '../answers.ts';
import type { Answer } from '../api.ts';
import { ask } from '../api.ts';
import { keepHold } from '../dock/kept-holds.ts';
import { mayManage } from '../session.ts';
import { texts } from '../texts.ts';
import { useAsked } from '../ui/asked.ts';
import { Back } from '../ui/back.tsx';
import { Choice, TextField } from '../ui/field.tsx';
import { Heading } from '../ui/heading.tsx';
import { Instant } from '../ui/instant.tsx';
import { useListed } from '../ui/listed.ts';
import { useRequestKeys } from '../ui/request-key.ts';
import { Rest } from '../ui/rest.tsx';
import { Showing } from '../ui/shown.tsx';
import { Table } from '../ui/table.tsx';
import { ToldBox, useTold } from '../ui/told.tsx';

export function OrderPage() {
  const { params } = useRoute();
  const path = `/v1/purchase-orders/${encodeURIComponent(params['number'] ?? '')}`;
  const asking = useAsked<OrderAnswer>(path);
  const receipts = useListed<ReceiptAnswer>(`${path}/receipts`);
  const again = (): void => {
    asking.again();
    receipts.again();
  };
  return (
    <>
      <Back to="/orders" text={texts.nav.orders} />
      <Showing asking={asking}>
        {(order) => (
          <section>
            <Heading text={`${order.number}, ${order.supplier}`} />
            <p>
              {texts.words.status}: {order.status}
            </p>
            <Table
              columns={[
                texts.words.line,
                texts.words.sku,
                texts.words.ordered,
                texts.words.received,
                texts.words.remaining,
                texts.words.status,
              ]}
              rows={order.lines.map((line) => ({
                key: line.line,
                cells: [
                  line.line,
                  line.sku,
                  line.ordered,
                  line.received,
                  line.remaining,
                  line.status,
                ],
              }))}
            />
            {mayManage() && (order.status === 'open' || order.status === 'partial') ? (
              <>
                <ReceiptForm
                  key={JSON.stringify(order.lines)}
                  path={path}
                  order={order}
                  booked={again}
                />
                <Endings path={path} ended={again} />
              </>
            ) : null}
            <Appointments appointments={order.appointments ?? []} />
            <h2>{texts.orders.receipts}</h2>
            <Receipts list={receipts} />
          </section>
        )}
      </Showing>
    </>
  );
}

function Appointments({ appointments }: { readonly appointments: readonly AppointmentAnswer[] }) {
  const { route } = useLocation();
  if (appointments.length === 0) return null;
  return (
    <>
      <h2>{texts.orders.appointments}</h2>
      <Table
        columns={[texts.words.warehouse, texts.dock.seats, texts.words.status, texts.orders.atDock]}
        rows={appointments.map(({ id, warehouse, seats, status }) => ({
          key: id,
          cells: [
            warehouse,
            seats,
            texts.dock.statuses[status],
            <button
              type="button"
              class="plain"
              onClick={() => {
                keepHold(id);
                route('/dock');
              }}
            >
              {id}
            </button>,
          ],
        }))}
      />
    </>
  );
}

function Receipts({ list }: { readonly list: ReturnType<typeof useListed<ReceiptAnswer>> }) {
  return (
    <>
      <Table
        columns={[texts.words.when, texts.words.who, texts.words.status, texts.words.received]}
        rows={list.items.map(({ id, at, actor, status, lines }) => ({
          key: id,
          cells: [
            <Instant at={at} />,
            actor,
            status,
            <ul class="plain-list">
              {lines.map(({ line, quantity, sku, location, code = '' }, place) => (
                <li key={`${line} ${place}`}>
                  {quantity} × {sku} → {location} {code}
                </li>
              ))}
            </ul>,
          ],
        }))}
      />
      <Rest list={list} none={texts.orders.noReceipts} />
    </>
  );
}

interface FormParts {
  readonly path: string;
  readonly order: OrderAnswer;
  readonly booked: () => void;
}

/** What was typed at each line of the order. */
type Typed = Readonly<Record<number, string>>;

function ReceiptForm({ path, order, booked }: FormParts) {
  const [location, choose] = useState('');
  const [typed, type] = useState<Typed>({});
  const keyOf = useRequestKeys();
  const locations = useListed<LocationAnswer>('/v1/locations', 200);
  const { told, tell, doing } = useTold();
  const submit = async (): Promise<void> => {
    const body = { lines: receivedLines(order, typed, location) };
    if (body.lines.length === 0) {
      tell({ kind: 'refused', text: texts.orders.nothing });
      return;
    }
    const asked = { method: 'POST', body, idempotencyKey: keyOf(body) } as const;
    const isBooked = await doing(
      async () => overExplained(await ask<ReceiptAnswer>(`${path}/receipts`, asked)),
      ({ id }) => texts.orders.receiptMade(id),
    );
    if (isBooked) booked();
  };
  return (
    <form
      class="card"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <h2>{texts.orders.receiving}</h2>
      <Choice
        label={texts.orders.where}
        value={location}
        options={['', ...locations.items.map((one) => one.location)]}
        choose={choose}
      />
      <ReceivedLines order={order} typed={typed} type={type} />
      <button type="submit" disabled={location === ''}>
        {texts.orders.receive}
      </button>
      <ToldBox told={told} />
    </form>
  );
}

function receivedLines({ lines }: OrderAnswer, typed: Typed, location: string) {
  return lines.flatMap(({ line }) => {
    const quantity = Number(typed[line] ?? '');
    return quantity > 0 ? [{ line, location, quantity }] : [];
  });
}

function ReceivedLines({
  order: { lines },
  typed,
  type,
}: {
  readonly order: OrderAnswer;
  readonly typed: Typed;
  readonly type: (typed: Typed) => void;
}) {
  return (
    <>
      <button
        type="button"
        class="plain"
        onClick={() => {
          const remaining = lines.map((line) => [line.line, String(line.remaining)] as const);
          type(Object.fromEntries(remaining));
        }}
      >
        {texts.orders.allThatRemains}
      </button>
      {lines.map(({ line, sku, remaining }) => (
        <TextField
          key={line}
          label={`${line}: ${sku} (${texts.words.remaining} ${remaining})`}
          value={typed[line] ?? ''}
          type={(text) => {
            type({ ...typed, [line]: text });
          }}
        />
      ))}
    </>
  );
}

/** What came in beyond the order is said in the order's words. */
function overExplained<T>(answer: Answer<T>): Answer<T> {
  if (answer.kind !== 'problem' || answer.problem.code !== 'over-receipt') return answer;
  const { line, remaining } = answer.problem;
  const detail = texts.orders.over(String(line), String(remaining));
  return { ...answer, problem: { ...answer.problem, detail } };
}

function Endings({ path, ended }: { readonly path: string; readonly ended: () => void }) {
  const keyOf = useRequestKeys();
  const { told, doing } = useTold();
  const end = async (how: 'close' | 'cancel'): Promise<void> => {
    const isEnded = await doing(
      () => ask(`${path}/${how}`, { method: 'POST', idempotencyKey: keyOf(how) }),
      () => texts.orders.ended,
    );
    if (isEnded) ended();
  };
  return (
    <p>
      <button type="button" class="plain" onClick={() => void end('close')}>
        {texts.orders.close}
      </button>
      <button type="button" class="plain" onClick={() => void end('cancel')}>
        {texts.orders.cancelOrder}
      </button>
      <ToldBox told={told} />
    </p>
  );
}
