import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import type { CountAnswer, CountLineAnswer } from '../answers.ts';
import { ask } from '../api.ts';
import { mayManage } from '../session.ts';
import { texts } from '../texts.ts';
import { useAsked } from '../ui/asked.ts';
import { useRequestKeys } from '../ui/request-key.ts';
import { Showing } from '../ui/shown.tsx';
import { Table } from '../ui/table.tsx';
import { ToldBox, useTold } from '../ui/told.tsx';

export function CountPage() {
  const { params } = useRoute();
  const path = `/v1/stock-counts/${encodeURIComponent(params['id'] ?? '')}`;
  const asking = useAsked<CountAnswer>(path);
  return (
    <Showing asking={asking}>
      {(count) => (
        <section>
          <h1>
            {texts.nav.counts}: {count.locations.join(', ')}
          </h1>
          <p>
            {texts.words.status}: {count.status},{' '}
            {texts.counts.progress(
              count.lines.filter(({ counted }) => counted !== null).length,
              count.lines.length,
            )}
          </p>
          <button type="button" onClick={asking.again}>
            {texts.counts.refresh}
          </button>
          {mayManage() && count.status === 'open' ? (
            <Ending path={path} count={count} ended={asking.again} />
          ) : null}
          <Table
            columns={[
              texts.words.sku,
              texts.words.location,
              texts.words.expected,
              texts.words.counted,
              texts.words.variance,
              texts.words.outcome,
            ]}
            rows={count.lines.map((line) => ({
              key: `${line.location} ${line.sku}`,
              cells: [
                line.sku,
                line.location,
                line.expected,
                line.counted,
                line.variance,
                line.outcome,
              ],
            }))}
          />
        </section>
      )}
    </Showing>
  );
}

interface EndingParts {
  readonly path: string;
  readonly count: CountAnswer;
  readonly ended: () => void;
}

/** The variances are shown before anything is posted. */
function Ending({ path, count, ended }: EndingParts) {
  const [isReviewed, review] = useState(false);
  const keyOf = useRequestKeys();
  const { told, doing } = useTold();
  const end = async (how: 'close' | 'cancel'): Promise<void> => {
    const isEnded = await doing(
      () => ask(`${path}/${how}`, { method: 'POST', idempotencyKey: keyOf(how) }),
      () => texts.counts.closed,
    );
    if (isEnded) ended();
  };
  return (
    <div class="card">
      {isReviewed ? (
        <>
          <Variances lines={count.lines} />
          <button type="button" onClick={() => void end('close')}>
            {texts.counts.confirm}
          </button>
        </>
      ) : (
        <button
          type="button"
          onClick={() => {
            review(true);
          }}
        >
          {texts.counts.review}
        </button>
      )}
      <button type="button" class="plain" onClick={() => void end('cancel')}>
        {texts.counts.cancelCount}
      </button>
      <ToldBox told={told} />
    </div>
  );
}

function Variances({ lines }: { readonly lines: readonly CountLineAnswer[] }) {
  const varying = lines.filter(({ variance }) => variance !== undefined && variance !== 0);
  const uncounted = lines.filter(({ counted }) => counted === null).length;
  return (
    <>
      <h2>{varying.length === 0 ? texts.counts.noVariance : texts.counts.variances}</h2>
      <Table
        columns={[texts.words.sku, texts.words.location, texts.words.variance]}
        rows={varying.map(({ sku, location, variance }) => ({
          key: `${location} ${sku}`,
          cells: [sku, location, variance],
        }))}
      />
      {uncounted === 0 ? null : <p>{texts.counts.uncounted(uncounted)}</p>}
    </>
  );
}
