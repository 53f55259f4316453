import { texts } from '../texts.ts';
import { Choice, InstantField, TextField } from '../ui/field.tsx';

const types = [
  '',
  'receive',
  'ship',
  'transfer',
  'adjust',
  'reserve',
  'change',
  'release',
  'expire',
  'void',
] as const;

/** Each as it was typed; empty where it does not matter. */
export interface Filters {
  readonly type: string;
  readonly location: string;
  readonly sku: string;
  readonly actor: string;
  readonly reference: string;
  readonly from: string;
  readonly to: string;
}

export const noFilters: Filters = {
  type: '',
  location: '',
  sku: '',
  actor: '',
  reference: '',
  from: '',
  to: '',
};

/** As a query, without what is empty; instants in UTC. */
export function queryOf(filters: Partial<Filters>): string {
  const said = Object.entries(filters)
    .map(([name, text]) => [name, text.trim()] as const)
    .filter(([, text]) => text !== '')
    .map(([name, text]) =>
      name === 'from' || name === 'to' ? [name, new Date(text).toISOString()] : [name, text],
    );
  const query = new URLSearchParams(said).toString();
  return query === '' ? '' : `?${query}`;
}

export function FilterFields({
  filters,
  names,
  set,
}: {
  readonly filters: Filters;
  readonly names: readonly (keyof Filters)[];
  readonly set: (filters: Filters) => void;
}) {
  const field = (name: keyof Filters) => ({
    value: filters[name],
    type: (text: string) => {
      set({ ...filters, [name]: text });
    },
  });
  return (
    <div class="filters">
      {names.map((name) => {
        switch (name) {
          case 'type':
            return (
              <Choice
                key={name}
                label={texts.words.type}
                value={filters.type}
                options={types}
                name={(type) => type || texts.history.any}
                choose={field('type').type}
              />
            );
          case 'from':
          case 'to':
            return <InstantField key={name} label={texts.history[name]} {...field(name)} />;
          case 'sku':
          case 'location':
            return <TextField key={name} label={texts.words[name]} {...field(name)} />;
          case 'actor':
          case 'reference':
            return <TextField key={name} label={texts.history[name]} {...field(name)} />;
        }
      })}
    </div>
  );
}
