/** Instants in the viewer's zone, with the UTC instant on hover. */
const whole = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'full' });
const time = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });

export function Instant({ at }: { readonly at: string }) {
  return <Written at={at} as={whole} />;
}

export function Day({ at }: { readonly at: string }) {
  return <Written at={at} as={day} />;
}

/** Where the day is plain from what stands around it. */
export function TimeOfDay({ at }: { readonly at: string }) {
  return <Written at={at} as={time} />;
}

function Written({ at, as }: { readonly at: string; readonly as: Intl.DateTimeFormat }) {
  return (
    <time dateTime={at} title={at}>
      {as.format(new Date(at))}
    </time>
  );
}
