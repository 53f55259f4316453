/** An instant in the viewer's zone, with the UTC instant on hover. */
const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

export function Instant({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={at}>
      {format.format(new Date(at))}
    </time>
  );
}
