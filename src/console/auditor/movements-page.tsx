import { useState } from 'preact/hooks';
import type { MovementAnswer } from '../answers.ts';
import { askText } from '../api.ts';
import { texts } from '../texts.ts';
import { Heading } from '../ui/heading.tsx';
import { useListed } from '../ui/listed.ts';
import { Rest } from '../ui/rest.tsx';
import { saveAs } from '../ui/save-as.ts';
import { ToldBox, useTold } from '../ui/told.tsx';
import type { Filters } from './filters.tsx';
import { FilterFields, noFilters, queryOf } from './filters.tsx';
import { MovementTable } from './movement-table.tsx';

const names: readonly (keyof Filters)[] = ['sku', 'type', 'actor', 'reference', 'from', 'to'];

/** Who did what, anywhere. */
export function MovementsPage() {
  const [filters, set] = useState(noFilters);
  const path = `/v1/movements${queryOf(filters)}`;
  const list = useListed<MovementAnswer>(path);
  const { told, doing } = useTold();
  return (
    <section>
      <Heading text={texts.nav.movements} />
      <p>{texts.history.lag}</p>
      <FilterFields filters={filters} names={names} set={set} />
      <button
        type="button"
        onClick={() =>
          void doing(
            () => askText(path, 'text/csv'),
            (text) => {
              saveAs('movements.csv', 'text/csv', text);
              return texts.history.fileMade;
            },
          )
        }
      >
        {texts.history.exported}
      </button>
      <ToldBox told={told} />
      <MovementTable movements={list.items} />
      <Rest list={list} none={texts.history.none} />
    </section>
  );
}
