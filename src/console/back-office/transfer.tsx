/** A list out to a CSV file and in from one, checked whole before anything is written. */
import { useState } from 'preact/hooks';
import type { Answer } from '../api.ts';
import { askAll } from '../api.ts';
import { mayManage } from '../session.ts';
import { texts } from '../texts.ts';
import { saveAs } from '../ui/save-as.ts';
import type { Told } from '../ui/told.tsx';
import { ToldBox, whyRefused } from '../ui/told.tsx';
import type { Table } from './csv.ts';
import { readCsv } from './csv.ts';
import type { Checked } from './importing.ts';

export interface Transferred<E, D> {
  readonly heading: string;
  readonly fileName: string;
  /** The list as the service has it. */
  readonly path: string;
  readonly exported: (existing: readonly E[]) => string;
  readonly check: (table: Table, existing: readonly E[]) => Checked<D>;
  readonly nameOf: (definition: D) => string;
  readonly write: (definition: D) => Promise<Answer<unknown>>;
}

export function Transfer<E, D>({
  list,
  written,
}: {
  readonly list: Transferred<E, D>;
  readonly written: () => void;
}) {
  const [told, tell] = useState<Told>({ kind: 'nothing' });
  const [checked, setChecked] = useState<Checked<D>>();
  const check = async (file: File): Promise<void> => {
    setChecked(undefined);
    tell({ kind: 'working', progress: texts.importing.checking });
    const [table, existing] = [readCsv(await file.text()), await askAll<E>(list.path)];
    if ('fault' in table) tell({ kind: 'refused', text: table.fault });
    else if (existing.kind !== 'ok') tell({ kind: 'refused', text: whyRefused(existing) });
    else {
      tell({ kind: 'nothing' });
      setChecked(list.check(table, existing.value));
    }
  };
  const write = async ({ definitions }: Checked<D>): Promise<void> => {
    setChecked(undefined);
    const stopped = await writeAll(list, definitions, (done) => {
      tell({ kind: 'working', progress: texts.importing.writing(done, definitions.length) });
    });
    tell(
      stopped === undefined
        ? { kind: 'done', text: texts.importing.written(definitions.length) }
        : { kind: 'refused', text: stopped },
    );
    written();
  };
  return (
    <section class="transfer">
      <button type="button" onClick={() => void download(list, tell)}>
        {texts.skus.exported}
      </button>
      {mayManage() ? (
        <FileField heading={list.heading} chosen={(file) => void check(file)} />
      ) : null}
      <ToldBox told={told} />
      {checked === undefined ? null : (
        <DryRun checked={checked} write={() => void write(checked)} />
      )}
    </section>
  );
}

function FileField({
  heading,
  chosen,
}: {
  readonly heading: string;
  readonly chosen: (file: File) => void;
}) {
  return (
    <>
      <h2>{heading}</h2>
      <label>
        {texts.importing.file}
        <input
          type="file"
          accept=".csv,text/csv"
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            if (file !== undefined) chosen(file);
            currentTarget.value = '';
          }}
        />
      </label>
    </>
  );
}

function DryRun({
  checked: { faults, added, changed, unchanged },
  write,
}: {
  readonly checked: Checked<unknown>;
  readonly write: () => void;
}) {
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
      {added + changed === 0 ? null : (
        <button type="button" onClick={write}>
          {texts.importing.write}
        </button>
      )}
    </div>
  );
}

/** @returns why it stopped, where it did. */
async function writeAll<D>(
  { nameOf, write }: Pick<Transferred<never, D>, 'nameOf' | 'write'>,
  definitions: readonly D[],
  progress: (done: number) => void,
): Promise<string | undefined> {
  for (const [done, definition] of definitions.entries()) {
    progress(done);
    const answer = await write(definition);
    if (answer.kind !== 'ok') {
      return texts.importing.stopped(nameOf(definition), whyRefused(answer));
    }
  }
  return undefined;
}

async function download<E, D>(
  { path, fileName, exported }: Transferred<E, D>,
  tell: (told: Told) => void,
): Promise<void> {
  tell({ kind: 'working' });
  const existing = await askAll<E>(path);
  if (existing.kind !== 'ok') {
    tell({ kind: 'refused', text: whyRefused(existing) });
    return;
  }
  saveAs(fileName, 'text/csv', exported(existing.value));
  tell({ kind: 'nothing' });
}
