import { useRoute } from 'preact-iso';
import type { SkuAnswer, WholeSkuAnswer } from '../answers.ts';
import { mayManage } from '../session.ts';
import { texts } from '../texts.ts';
import { useAsked } from '../ui/asked.ts';
import { Back } from '../ui/back.tsx';
import { Heading } from '../ui/heading.tsx';
import { Showing } from '../ui/shown.tsx';
import { Reservations } from './reservations.tsx';
import { cellsOfSku, SkuForm } from './sku-form.tsx';

export function SkuPage() {
  const { params } = useRoute();
  const id = params['sku'] ?? '';
  const asking = useAsked<WholeSkuAnswer>(`/v1/skus/${encodeURIComponent(id)}`);
  return (
    <>
      <Back to="/skus" text={texts.nav.skus} />
      <Showing asking={asking}>
        {(sku) => (
          <section>
            <Heading text={sku.sku} />
            <p>{sku.description}</p>
            <p>
              <a class="button" href={`/skus/${encodeURIComponent(sku.sku)}/history`}>
                {texts.skus.history}
              </a>
            </p>
            <Levels sku={sku} />
            <Reservations sku={sku.sku} held={sku.reservations} released={asking.again} />
            {mayManage() ? (
              <>
                <h2>{texts.skus.edit}</h2>
                <SkuForm
                  key={sku.version}
                  cells={cellsOfSku(sku)}
                  version={sku.version}
                  saved={asking.again}
                />
              </>
            ) : null}
          </section>
        )}
      </Showing>
    </>
  );
}

function Levels({ sku: { levels, totals } }: { readonly sku: SkuAnswer }) {
  return (
    <div class="scrolled" tabIndex={0} role="region" aria-label={texts.skus.levels}>
      <table>
        <thead>
          <tr>
            <th scope="col">{texts.words.location}</th>
            <th scope="col">{texts.words.warehouse}</th>
            <th scope="col" class="number">
              {texts.words.onHand}
            </th>
            <th scope="col" class="number">
              {texts.words.reserved}
            </th>
            <th scope="col" class="number">
              {texts.words.available}
            </th>
          </tr>
        </thead>
        <tbody>
          {levels.map(({ location, warehouse, onHand, reserved, available }) => (
            <tr key={location}>
              <th scope="row">{location}</th>
              <td>{warehouse}</td>
              <td class="number">{onHand}</td>
              <td class="number">{reserved}</td>
              <td class="number">{available}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td colSpan={2} />
            <td class="number">{totals.onHand}</td>
            <td class="number">{totals.reserved}</td>
            <td class="number">{totals.available}</td>
          </tr>
        </tfoot>
      </table>
    </div>
  );
}
