import { useEffect, useState } from 'preact/hooks';
import type { Page } from '../api.ts';
import { ask } from '../api.ts';
import type { Recognised } from '../device/catalogue.ts';
import type { KnownLocation } from '../device/database.ts';
import { enqueue } from '../device/queue.ts';
import { texts } from '../texts.ts';
import { Choice, Labelled } from '../ui/field.tsx';
import type { Filled } from './work.ts';
import { draftOf, reasons, works } from './work.ts';

/** What was scanned: the SKU, the pack, and what the code says besides. */
export interface Goods extends Recognised {
  readonly lot?: string;
  readonly expiry?: string;
  readonly quantity?: number;
}

interface FormParts {
  readonly goods: Goods;
  readonly locations: readonly KnownLocation[];
  readonly done: () => void;
}

/** Where the scanner stood last, so that a second scan there takes two taps. */
const lastPlace = 'stockroom-location';

export function WorkForm({ goods, locations, done }: FormParts) {
  const [filled, fill] = useState<Filled>(() => blank(goods));
  const draft = draftOf(filled);
  const set = (change: Partial<Filled>): void => {
    fill((before) => ({ ...before, ...change }));
  };
  return (
    <form
      class="work"
      onSubmit={(event) => {
        event.preventDefault();
        if (draft === undefined) return;
        localStorage.setItem(lastPlace, filled.location);
        void enqueue(draft).then(done);
      }}
    >
      <Shown goods={goods} set={set} note={filled.note} />
      <fieldset>
        <legend>{texts.work.what}</legend>
        <div class="choices">
          {works.map((work) => (
            <label key={work} class="tile">
              <input
                type="radio"
                name="work"
                checked={filled.work === work}
                onChange={() => {
                  set({ work, ...(work === 'count' ? { unit: goods.sku.baseUnit } : {}) });
                }}
              />
              {texts.work.names[work]}
            </label>
          ))}
        </div>
      </fieldset>
      <Place
        label={filled.work === 'transfer' ? texts.work.from : texts.work.location}
        value={filled.location}
        locations={locations}
        choose={(location) => {
          set({ location });
        }}
      />
      <Particulars filled={filled} set={set} goods={goods} locations={locations} />
      <button type="submit" disabled={draft === undefined}>
        {texts.work.names[filled.work]}
      </button>
      <button type="button" class="plain" onClick={done}>
        {texts.cancel}
      </button>
    </form>
  );
}

function blank(goods: Goods): Filled {
  return {
    work: 'receive',
    sku: goods.sku.sku,
    unit: goods.unit,
    location: localStorage.getItem(lastPlace) ?? '',
    to: '',
    quantity: String(goods.quantity ?? 1),
    reason: 'damaged',
    note: '',
    count: '',
  };
}

type Set = (change: Partial<Filled>) => void;

function Shown({
  goods: { sku, lot, expiry },
  note,
  set,
}: {
  readonly goods: Goods;
  readonly note: string;
  readonly set: Set;
}) {
  const batch = [
    ...(lot === undefined ? [] : [texts.work.lot(lot)]),
    ...(expiry === undefined ? [] : [texts.work.expiry(expiry)]),
  ].join(', ');
  return (
    <div class="goods">
      <h2>{sku.sku}</h2>
      <p>{sku.description}</p>
      {batch === '' ? null : (
        <label class="choice">
          <input
            type="checkbox"
            checked={note === batch}
            onChange={({ currentTarget }) => {
              set({ note: currentTarget.checked ? batch : '' });
            }}
          />
          {texts.work.keepInNote(batch)}
        </label>
      )}
    </div>
  );
}

function Particulars({
  filled,
  set,
  goods,
  locations,
}: {
  readonly filled: Filled;
  readonly set: Set;
  readonly goods: Goods;
  readonly locations: readonly KnownLocation[];
}) {
  const { work } = filled;
  const units = [goods.sku.baseUnit, ...goods.sku.packs.map(({ unit }) => unit)];
  const byBase = work === 'adjust' || work === 'count';
  return (
    <>
      {work === 'transfer' ? (
        <Place
          label={texts.work.to}
          value={filled.to}
          locations={locations}
          choose={(to) => {
            set({ to });
          }}
        />
      ) : null}
      {work === 'count' ? <OpenCounts filled={filled} set={set} /> : null}
      <Labelled label={work === 'adjust' ? texts.work.delta : texts.work.quantity}>
        <input
          inputMode={work === 'adjust' ? 'text' : 'numeric'}
          value={filled.quantity}
          onInput={({ currentTarget }) => {
            set({ quantity: currentTarget.value });
          }}
        />
      </Labelled>
      {byBase ? null : (
        <Choice
          label={texts.work.unit}
          value={filled.unit}
          options={units}
          choose={(unit) => {
            set({ unit });
          }}
        />
      )}
      {work === 'adjust' ? <Why filled={filled} set={set} /> : null}
    </>
  );
}

/** Why stock is adjusted. */
function Why({ filled, set }: { readonly filled: Filled; readonly set: Set }) {
  return (
    <>
      <Choice
        label={texts.work.reason}
        value={filled.reason}
        options={reasons}
        name={(reason) => texts.reasons[reason]}
        choose={(reason) => {
          set({ reason });
        }}
      />
      <Labelled label={texts.work.note}>
        <input
          value={filled.note}
          maxLength={200}
          onInput={({ currentTarget }) => {
            set({ note: currentTarget.value });
          }}
        />
      </Labelled>
    </>
  );
}

/** The open counts that cover the place, the first one chosen. */
function OpenCounts({ filled, set }: { readonly filled: Filled; readonly set: Set }) {
  const [open, setOpen] = useState<readonly string[]>();
  useEffect(() => {
    void ask<Page<{ id: string; locations: readonly string[] }>>(
      '/v1/stock-counts?status=open',
    ).then((answer) => {
      if (answer.kind !== 'ok') return;
      const covering = answer.value.items
        .filter(({ locations }) => locations.includes(filled.location))
        .map(({ id }) => id);
      setOpen(covering);
      set({ count: covering[0] ?? '' });
    });
  }, [filled.location]);
  if (open?.length === 0) return <p class="refused">{texts.work.noCount}</p>;
  return null;
}

function Place({
  label,
  value,
  locations,
  choose,
}: {
  readonly label: string;
  readonly value: string;
  readonly locations: readonly KnownLocation[];
  readonly choose: (location: string) => void;
}) {
  const ids = locations.map(({ location }) => location);
  return <Choice label={label} value={value} options={['', ...ids]} choose={choose} />;
}
