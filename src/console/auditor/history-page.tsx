import { useMemo, useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import type { LevelsAtAnswer, MovementAnswer, VerificationAnswer } from '../answers.ts';
import { ask } from '../api.ts';
import { texts } from '../texts.ts';
import { Back } from '../ui/back.tsx';
import { InstantField } from '../ui/field.tsx';
import { Heading } from '../ui/heading.tsx';
import { Instant } from '../ui/instant.tsx';
import { useListed } from '../ui/listed.ts';
import { Rest } from '../ui/rest.tsx';
import { Table } from '../ui/table.tsx';
import { ToldBox, useTold } from '../ui/told.tsx';
import type { Filters } from './filters.tsx';
import { FilterFields, noFilters, queryOf } from './filters.tsx';
import { LevelChart } from './level-chart.tsx';
import { levelHistory } from './level-history.ts';
import { MovementTable } from './movement-table.tsx';

const names: readonly (keyof Filters)[] = ['location', 'type', 'from', 'to'];
const pageSize = 200;

/** Everything that one SKU went through. */
export function HistoryPage() {
  const { params } = useRoute();
  const sku = params['sku'] ?? '';
  const path = `/v1/skus/${encodeURIComponent(sku)}`;
  const [filters, set] = useState(noFilters);
  const list = useListed<MovementAnswer>(`${path}/movements${queryOf(filters)}`, pageSize);
  const history = useMemo(() => levelHistory(list.items), [list.items]);
  return (
    <section>
      <Back to={`/skus/${encodeURIComponent(sku)}`} text={sku} />
      <Heading text={texts.history.of(sku)} />
      <Verification path={path} />
      <LevelsAt path={path} />
      <FilterFields filters={filters} names={names} set={set} />
      {history.times.length === 0 ? null : <LevelChart history={history} />}
      <MovementTable movements={list.items} />
      <Rest list={list} none={texts.history.none} />
    </section>
  );
}

function Verification({ path }: { readonly path: string }) {
  const [verified, show] = useState<VerificationAnswer>();
  const { told, tell, doing } = useTold();
  const verify = async (): Promise<void> => {
    const isTold = await doing(
      () => ask<VerificationAnswer>(`${path}/verification`),
      (answer) => {
        show(answer);
        return texts.history.verified;
      },
    );
    if (isTold) tell({ kind: 'nothing' });
  };
  return (
    <div>
      <button type="button" onClick={() => void verify()}>
        {texts.history.verify}
      </button>
      <ToldBox told={told} />
      {verified === undefined ? null : (
        <div role="status" class={verified.ok ? 'done' : 'refused'}>
          <p>{verified.ok ? texts.history.verified : texts.history.notVerified}</p>
          <ul class="plain-list">
            {verified.checks.map(({ name, ok, detail }) => (
              <li key={name}>
                {ok ? '✓' : '✗'} {name}: {detail}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

function LevelsAt({ path }: { readonly path: string }) {
  const [at, choose] = useState('');
  const [levels, show] = useState<LevelsAtAnswer>();
  const { told, tell, doing } = useTold();
  const look = async (): Promise<void> => {
    const instant = encodeURIComponent(new Date(at).toISOString());
    const isTold = await doing(
      () => ask<LevelsAtAnswer>(`${path}/levels?at=${instant}`),
      (answer) => {
        show(answer);
        return '';
      },
    );
    if (isTold) tell({ kind: 'nothing' });
  };
  return (
    <form
      class="card"
      onSubmit={(event) => {
        event.preventDefault();
        void look();
      }}
    >
      <InstantField label={texts.history.levelsAt} value={at} type={choose} />
      <button type="submit" disabled={at === ''}>
        {texts.history.show}
      </button>
      <ToldBox told={told} />
      {levels === undefined ? null : (
        <>
          <p>
            <Instant at={levels.at} />
          </p>
          <Table
            columns={[texts.words.location, texts.words.onHand]}
            rows={levels.levels.map(({ location, onHand }) => ({
              key: location,
              cells: [location, onHand],
            }))}
          />
        </>
      )}
    </form>
  );
}
