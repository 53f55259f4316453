import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { SkuAnswer } from '../answers.ts';
import { ask } from '../api.ts';
import { texts } from '../texts.ts';
import { Back } from '../ui/back.tsx';
import { Choice, TextField } from '../ui/field.tsx';
import { Heading } from '../ui/heading.tsx';
import { ToldBox, useTold } from '../ui/told.tsx';
import { cellsOf, definitionOf, skuColumns } from './sku-import.ts';

/** A SKU is typed as it stands on a line of a file, so that one rule reads both. */
type Cells = Readonly<Record<(typeof skuColumns)[number], string>>;

const blank: Cells = {
  sku: '',
  description: '',
  baseUnit: 'each',
  packs: '',
  barcodes: '',
  reorderPoint: '',
  status: 'active',
};

export function NewSku() {
  const { route } = useLocation();
  return (
    <section>
      <Back to="/skus" text={texts.nav.skus} />
      <Heading text={texts.skus.make} />
      <SkuForm
        cells={blank}
        saved={(sku) => {
          route(`/skus/${encodeURIComponent(sku)}`);
        }}
      />
    </section>
  );
}

export function SkuForm({
  cells: before,
  version,
  saved,
}: {
  readonly cells: Cells;
  readonly version?: number;
  readonly saved: (sku: string) => void;
}) {
  const [cells, fill] = useState(before);
  const { told, tell, doing } = useTold();
  const field = (name: keyof Cells) => ({
    value: cells[name],
    type: (value: string) => {
      fill((last) => ({ ...last, [name]: value }));
    },
  });
  const submit = async (): Promise<void> => {
    const definition = definitionOf({ line: 1, cells });
    if (typeof definition === 'string') {
      tell({ kind: 'refused', text: definition });
      return;
    }
    const { sku, body } = definition;
    const ifMatch = version === undefined ? {} : { ifMatch: `"${version}"` };
    const isSaved = await doing(
      () => ask(`/v1/skus/${encodeURIComponent(sku)}`, { method: 'PUT', body, ...ifMatch }),
      () => texts.saved,
    );
    if (isSaved) saved(sku);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {version === undefined ? (
        <TextField label={texts.words.sku} required {...field('sku')} />
      ) : null}
      <TextField label={texts.words.description} required {...field('description')} />
      <TextField label={texts.skus.baseUnit} {...field('baseUnit')} />
      <TextField label={texts.skus.packs} {...field('packs')} />
      <TextField label={texts.skus.barcodes} {...field('barcodes')} />
      <TextField label={texts.words.reorderPoint} {...field('reorderPoint')} />
      <Choice
        label={texts.words.status}
        value={cells.status}
        options={['active', 'discontinued'] as const}
        name={(status) => texts.skus[status]}
        choose={field('status').type}
      />
      <button type="submit">{texts.save}</button>
      <ToldBox told={told} />
    </form>
  );
}

export function cellsOfSku(sku: SkuAnswer): Cells {
  const texts = cellsOf(sku);
  const cells = skuColumns.map((column, place) => [column, texts[place] ?? ''] as const);
  return { ...blank, ...Object.fromEntries(cells) };
}
