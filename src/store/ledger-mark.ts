/** The mark up to which the ledger is known to be whole: one document, made with the schema. */
import type { LedgerMark } from '../inventory/ports.ts';
import { maxTimeMS } from './client.ts';
import type { Collections } from './documents.ts';
import { instantOf } from './documents.ts';
import { ask, askPlainly } from './store-error.ts';

type Marks = Collections['marks'];

const ledger = 'ledger';

export function createLedgerMark(marks: Marks): LedgerMark {
  return {
    read: async () => {
      const asked = await askPlainly(() =>
        marks.findOne<{ readonly through: Date; readonly now: Date }>(
          { _id: ledger },
          { projection: { through: 1, now: '$$NOW' }, maxTimeMS },
        ),
      );
      if (asked.kind === 'unknown') return asked;
      if (asked.value === null) return { kind: 'unknown', cause: 'the ledger has no mark' };
      const { through, now } = asked.value;
      return { kind: 'found', value: { through: instantOf(through), now: instantOf(now) } };
    },
    advance: async (through) => {
      const asked = await askPlainly(() =>
        marks.updateOne({ _id: ledger }, { $max: { through: new Date(through) } }, { maxTimeMS }),
      );
      return asked.kind === 'unknown' ? asked : { kind: 'recorded' };
    },
  };
}

/** Sets the mark where there is none: nothing is known to be whole. */
export async function ensureLedgerMark(marks: Marks): Promise<void> {
  const asked = await ask(() =>
    marks.insertOne({ _id: ledger, through: new Date(0) }, { maxTimeMS }),
  );
  if (asked.kind === 'unknown') throw new Error(asked.cause);
}
