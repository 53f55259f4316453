/** SKUs out to a CSV file and in from one, checked whole before anything is written. */
import { useState } from 'preact/hooks';
import type { SkuAnswer } from '../answers.ts';
import type { Page } from '../api.ts';
import { ask } from '../api.ts';
import { mayManage } from '../session.ts';
import { texts } from '../texts.ts';
import { saveAs } from '../ui/save-as.ts';
import type { Told } from '../ui/told.tsx';
import { ToldBox, whyRefused } from '../ui/told.tsx';
import { readCsv } from './csv.ts';
import type { Checked, SkuDefinition } from './sku-import.ts';
import { checkSkus, exportSkus } from './sku-import.ts';

export function SkuTransfer({ written }: { readonly written: () => void }) {
  const [told, tell] = useState<Told>({ kind: 'nothing' });
  const [checked, setChecked] = useState<Checked>();
  const check = async (file: File): Promise<void> => {
    setChecked(undefined);
    tell({ kind: 'working', progress: texts.importing.checking });
    const [table, existing] = [readCsv(await file.text()), await everySku()];
    if ('fault' in table) tell({ kind: 'refused', text: table.fault });
    else if (typeof existing === 'string') tell({ kind: 'refused', text: existing });
    else {
      tell({ kind: 'nothing' });
      setChecked(checkSkus(table, existing));
    }
  };
  const write = async ({ definitions }: Checked): Promise<void> => {
    const stopped = await writeAll(definitions, (done) => {
      tell({ kind: 'working', progress: texts.importing.writing(done, definitions.length) });
    });
    tell(
      stopped === undefined
        ? { kind: 'done', text: texts.importing.written(definitions.length) }
        : { kind: 'refused', text: stopped },
    );
    setChecked(undefined);
    written();
  };
  return (
    <section>
      <button type="button" onClick={() => void download(tell)}>
        {texts.skus.exported}
      </button>
      {mayManage() ? (
        <>
          <h2>{texts.importing.heading}</h2>
          <label>
            {texts.importing.file}
            <input
              type="file"
              accept=".csv,text/csv"
              onChange={({ currentTarget }) => {
                const [file] = currentTarget.files ?? [];
                if (file !== undefined) void check(file);
                currentTarget.value = '';
              }}
            />
          </label>
        </>
      ) : null}
      <ToldBox told={told} />
      {checked === undefined ? null : (
        <DryRun checked={checked} write={() => void write(checked)} />
      )}
    </section>
  );
}

function DryRun({ checked, write }: { readonly checked: Checked; readonly write: () => void }) {
  const { faults, added, changed, unchanged } = checked;
  if (faults.length > 0) {
    return (
      <div role="alert" class="refused">
        <p>{texts.importing.faulty(faults.length)}</p>
        <ul>
          {faults.map(({ line, fault }) => (
            <li key={`${line} ${fault}`}>{texts.importing.line(line, fault)}</li>
          ))}
        </ul>
      </div>
    );
  }
  return (
    <div class="done">
      <p role="status">{texts.importing.sound(added, changed, unchanged)}</p>
      <button type="button" onClick={write}>
        {texts.importing.write}
      </button>
    </div>
  );
}

/** @returns why it stopped, where it did. */
async function writeAll(
  definitions: readonly SkuDefinition[],
  progress: (done: number) => void,
): Promise<string | undefined> {
  for (const [done, { sku, body }] of definitions.entries()) {
    progress(done);
    const answer = await ask(`/v1/skus/${encodeURIComponent(sku)}`, { method: 'PUT', body });
    if (answer.kind !== 'ok') return texts.importing.stopped(sku, whyRefused(answer));
  }
  return undefined;
}

async function download(tell: (told: Told) => void): Promise<void> {
  tell({ kind: 'working' });
  const skus = await everySku();
  if (typeof skus === 'string') {
    tell({ kind: 'refused', text: skus });
    return;
  }
  saveAs('skus.csv', 'text/csv', exportSkus(skus));
  tell({ kind: 'nothing' });
}

/** @returns why not, as text. */
async function everySku(): Promise<readonly SkuAnswer[] | string> {
  const all: SkuAnswer[] = [];
  let after = '';
  for (;;) {
    const answer = await ask<Page<SkuAnswer>>(`/v1/skus?limit=200${after}`);
    if (answer.kind !== 'ok') return whyRefused(answer);
    all.push(...answer.value.items);
    if (answer.value.nextCursor === null) return all;
    after = `&cursor=${encodeURIComponent(answer.value.nextCursor)}`;
  }
}
