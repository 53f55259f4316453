import { useState } from 'preact/hooks';
import type { LocationAnswer } from '../answers.ts';
import { ask } from '../api.ts';
import { mayManage } from '../session.ts';
import { texts } from '../texts.ts';
import { Choice, SearchField, TextField } from '../ui/field.tsx';
import { Heading } from '../ui/heading.tsx';
import { useListed } from '../ui/listed.ts';
import { Rest } from '../ui/rest.tsx';
import { Table } from '../ui/table.tsx';
import { ToldBox, useTold } from '../ui/told.tsx';
import { Transfer } from './transfer.tsx';
import { locationTransfer } from './transferred.ts';

const kinds = ['storage', 'receiving', 'quarantine'] as const;
type Kind = (typeof kinds)[number];

export function LocationList() {
  const [edited, edit] = useState<LocationAnswer | 'new'>();
  const [warehouse, choose] = useState('');
  const filter =
    warehouse.trim() === '' ? '' : `?warehouse=${encodeURIComponent(warehouse.trim())}`;
  const list = useListed<LocationAnswer>(`/v1/locations${filter}`);
  return (
    <section>
      <Heading text={texts.nav.locations} />
      <SearchField label={texts.words.warehouse} value={warehouse} type={choose} />
      {mayManage() ? (
        <button
          type="button"
          onClick={() => {
            edit('new');
          }}
        >
          {texts.locations.make}
        </button>
      ) : null}
      {edited === undefined ? null : (
        <LocationForm
          key={edited === 'new' ? '' : `${edited.location} ${edited.version}`}
          location={edited === 'new' ? undefined : edited}
          ended={() => {
            edit(undefined);
            list.again();
          }}
        />
      )}
      <Table
        columns={[
          texts.words.location,
          texts.words.warehouse,
          texts.words.name,
          texts.words.kind,
          '',
        ]}
        rows={list.items.map((location) => ({
          key: location.location,
          cells: [
            location.location,
            location.warehouse,
            location.name,
            location.retiredAt === undefined
              ? texts.locations.kinds[kindOf(location.kind)]
              : texts.locations.retired,
            mayManage() && location.retiredAt === undefined ? (
              <button
                type="button"
                class="plain"
                aria-label={`${texts.change} ${location.location}`}
                onClick={() => {
                  edit(location);
                }}
              >
                {texts.change}
              </button>
            ) : null,
          ],
        }))}
      />
      <Rest list={list} none={texts.locations.none} />
      <Transfer list={locationTransfer} written={list.again} />
    </section>
  );
}

function kindOf(text: string): Kind {
  return kinds.find((kind) => kind === text) ?? 'storage';
}

function LocationForm({
  location: before,
  ended,
}: {
  readonly location: LocationAnswer | undefined;
  readonly ended: () => void;
}) {
  const [location, name] = useState(before?.location ?? '');
  const [warehouse, place] = useState(before?.warehouse ?? '');
  const [title, entitle] = useState(before?.name ?? '');
  const [kind, choose] = useState<Kind>(kindOf(before?.kind ?? 'storage'));
  const { told, doing } = useTold();
  const path = `/v1/locations/${encodeURIComponent(location.trim())}`;
  const ifMatch = before === undefined ? {} : { ifMatch: `"${before.version}"` };
  const save = async (): Promise<void> => {
    const body = {
      warehouse: warehouse.trim(),
      kind,
      ...(title.trim() === '' ? {} : { name: title.trim() }),
    };
    const isSaved = await doing(
      () => ask(path, { method: 'PUT', body, ...ifMatch }),
      () => texts.saved,
    );
    if (isSaved) ended();
  };
  const retire = async (): Promise<void> => {
    const isRetired = await doing(
      () => ask(path, { method: 'DELETE' }),
      () => texts.saved,
    );
    if (isRetired) ended();
  };
  return (
    <form
      class="card"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {before === undefined ? (
        <>
          <TextField label={texts.words.location} required value={location} type={name} />
          <TextField label={texts.words.warehouse} required value={warehouse} type={place} />
        </>
      ) : (
        <h2>{location}</h2>
      )}
      <TextField label={texts.words.name} value={title} type={entitle} />
      <Choice
        label={texts.words.kind}
        value={kind}
        options={kinds}
        name={(one) => texts.locations.kinds[one]}
        choose={(one) => {
          choose(kindOf(one));
        }}
      />
      <button type="submit">{texts.save}</button>
      {before === undefined ? null : <PlainButton text={texts.locations.retire} act={retire} />}
      <PlainButton text={texts.cancel} act={ended} />
      <ToldBox told={told} />
    </form>
  );
}

function PlainButton({
  text,
  act,
}: {
  readonly text: string;
  readonly act: () => Promise<void> | void;
}) {
  return (
    <button type="button" class="plain" onClick={() => void act()}>
      {text}
    </button>
  );
}
