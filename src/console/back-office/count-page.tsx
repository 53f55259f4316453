import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import type { CountAnswer, CountLineAnswer } from '../answers.ts';
import { ask } from '../api.ts';
import { mayManage } from '../session.ts';
import { texts } from '../texts.ts';
import { useAsked } from '../ui/asked.ts';
import { Back } from '../ui/back.tsx';
import { Heading } from '../ui/heading.tsx';
import { useRequestKeys } from '../ui/request-key.ts';
import { Showing } from '../ui/shown.tsx';
import { Table } from '../ui/table.tsx';
import { ToldBox, useTold } from '../ui/told.tsx';

export function CountPage() {
  const { params } = useRoute();
  const path = `/v1/stock-counts/${encodeURIComponent(params['id'] ?? '')}`;
  const asking = useAsked<CountAnswer>(path);
  return (
    <>
      <Back to="/counts" text={texts.nav.counts} />
      <Showing asking={asking}>
        {(count) => (
          <section>
            <Heading text={texts.counts.of(count.locations.join(', '))} />
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
                texts.counts.onHandThen,
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
                  line.onHand,
                  line.counted,
                  line.variance,
                  line.outcome,
                ],
              }))}
            />
          </section>
        )}
      </Showing>
    </>
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
        columns={[
          texts.words.sku,
          texts.words.location,
          texts.counts.onHandThen,
          texts.words.counted,
          texts.words.variance,
        ]}
        rows={varying.map(({ sku, location, onHand, counted, variance }) => ({
          key: `${location} ${sku}`,
          cells: [sku, location, onHand, counted, variance],
        }))}
      />
      {uncounted === 0 ? null : <p>{texts.counts.uncounted(uncounted)}</p>}
    </>
  );
}
