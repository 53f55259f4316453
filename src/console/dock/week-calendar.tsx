/** A week of slots, a column a day; on a phone the days stand under each other. */
import type { DockSlotAnswer } from '../answers.ts';
import { texts } from '../texts.ts';
import { TimeOfDay } from '../ui/instant.tsx';
import { beginningOn } from './week.ts';

const dayName = new Intl.DateTimeFormat(undefined, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
});

interface Parts {
  readonly slots: readonly DockSlotAnswer[];
  readonly chosen: string | undefined;
  readonly choose: (slot: string | undefined) => void;
}

export function WeekCalendar({ week, ...parts }: Parts & { readonly week: readonly Date[] }) {
  return (
    <div class="week">
      {week.map((day) => (
        <Day key={day.getTime()} day={day} {...parts} />
      ))}
    </div>
  );
}

function Day({ day, slots, chosen, choose }: Parts & { readonly day: Date }) {
  const own = beginningOn(day, slots);
  const isToday = day.toDateString() === new Date().toDateString();
  return (
    <section class="day" aria-current={isToday ? 'date' : undefined}>
      <h2>{dayName.format(day)}</h2>
      {own.length === 0 ? <p class="none">{texts.dock.noSlot}</p> : null}
      <ul class="plain-list">
        {own.map((slot) => (
          <li key={slot.slot}>
            <button
              type="button"
              class={slot.remaining === 0 ? 'slot full' : 'slot'}
              aria-expanded={slot.slot === chosen}
              onClick={() => {
                choose(slot.slot === chosen ? undefined : slot.slot);
              }}
            >
              <span>
                <TimeOfDay at={slot.startsAt} />–<TimeOfDay at={slot.endsAt} />
              </span>
              <span>{texts.dock.free(slot.remaining, slot.capacity)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
