import { useState } from 'preact/hooks';
import type { DockSlotAnswer, LocationAnswer } from '../answers.ts';
import { mayManage } from '../session.ts';
import { texts } from '../texts.ts';
import { useAll } from '../ui/asked.ts';
import { Choice } from '../ui/field.tsx';
import { Heading } from '../ui/heading.tsx';
import { Showing } from '../ui/shown.tsx';
import { HoldList } from './hold-list.tsx';
import { SlotCard } from './slot-card.tsx';
import { SlotForm } from './slot-form.tsx';
import { WeekCalendar } from './week-calendar.tsx';
import { endOf, weekOf } from './week.ts';

/** When deliveries may come, and who comes. */
export function DockPage() {
  const locations = useAll<LocationAnswer>('/v1/locations');
  return (
    <section>
      <Heading text={texts.nav.dock} />
      <Showing asking={locations}>
        {(all) => {
          const names = Array.from(new Set(all.map(({ warehouse }) => warehouse))).toSorted();
          return names.length === 0 ? <p>{texts.dock.noWarehouse}</p> : <Dock warehouses={names} />;
        }}
      </Showing>
    </section>
  );
}

function Dock({ warehouses }: { readonly warehouses: readonly string[] }) {
  const [warehouse, choose] = useState(warehouses[0] ?? '');
  const [weeks, turn] = useState(0);
  const [chosen, open] = useState<string>();
  const week = weekOf(new Date(), weeks);
  const slots = useAll<DockSlotAnswer>(pathOf(warehouse, week));
  const toWeek = (change: number) => () => {
    open(undefined);
    turn(change === 0 ? 0 : weeks + change);
  };
  return (
    <>
      <Choice
        label={texts.words.warehouse}
        value={warehouse}
        options={warehouses}
        choose={(one) => {
          open(undefined);
          choose(one);
        }}
      />
      <div class="actions">
        <button type="button" onClick={toWeek(-1)}>
          {texts.dock.before}
        </button>
        <button type="button" onClick={toWeek(0)}>
          {texts.dock.thisWeek}
        </button>
        <button type="button" onClick={toWeek(1)}>
          {texts.dock.after}
        </button>
      </div>
      <Showing asking={slots}>
        {(all) => {
          const slot = all.find((one) => one.slot === chosen);
          return (
            <>
              <WeekCalendar week={week} slots={all} chosen={chosen} choose={open} />
              {slot === undefined ? null : (
                <SlotCard key={slot.slot} slot={slot} changed={slots.again} />
              )}
            </>
          );
        }}
      </Showing>
      <HoldList changed={slots.again} />
      {mayManage() ? <SlotForm warehouse={warehouse} made={slots.again} /> : null}
    </>
  );
}

/** Those that begin in the week; as of now, not of the last seconds. */
function pathOf(warehouse: string, week: readonly Date[]): string {
  const [monday = new Date()] = week;
  const query = new URLSearchParams({
    warehouse,
    from: monday.toISOString(),
    to: endOf(week).toISOString(),
  });
  return `/v1/dock/slots?${query.toString()}`;
}
