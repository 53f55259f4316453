/** What a call is about, in a few words for a trace. */

/** The members of arguments that tell one call from another, however deep they stand. */
const telling: ReadonlySet<string> = new Set([
  'actionId',
  'sku',
  'ordinal',
  'version',
  'type',
  'state',
  'id',
  'number',
  'status',
  'key',
]);

export function describe(args: readonly unknown[]): string {
  return args
    .map((arg) => told(arg, 0))
    .filter((text) => text !== '')
    .join(' ');
}

function told(value: unknown, depth: number): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (typeof value !== 'object' || value === null || depth > 3) return '';
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => told(item, depth + 1)).filter((text) => text !== '');
    return items.length === 0 ? '' : `[${items.join(', ')}]`;
  }
  const parts = Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    const isNested = ['before', 'after', 'movements', 'record', 'state', 'actions'].includes(name);
    if (!telling.has(name) && !isNested) return [];
    const text = told(member, depth + 1);
    return text === '' ? [] : [isNested ? `${name} ${text}` : text];
  });
  return parts.length === 0 ? '' : `{${parts.join(' ')}}`;
}
