/** What goes wrong during a soak, one thing after the other, and when. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Fault } from '../../test/support/faulty-wire.ts';
import type { Place, Site } from './site.ts';

export interface Happened {
  readonly atMs: number;
  readonly what: string;
}

interface Trouble {
  readonly what: string;
  /** Resolves when it is over. */
  readonly make: () => Promise<void>;
}

const longestBetweenMs = 45_000;
const longestMs = 5_000;

/**
 * @param overMs when nothing new begins, by the soak's own clock.
 * @param tell is told of each thing as it begins.
 */
export async function makeTrouble(
  site: Site,
  { overMs, sinceMs }: { readonly overMs: number; readonly sinceMs: () => number },
  tell: (happened: Happened) => void,
): Promise<void> {
  const betweenMs = Math.min(longestBetweenMs, overMs / 5);
  const troubles = troublesOf(site, Math.min(longestMs, betweenMs / 3));
  for (let turn = 0; ; turn += 1) {
    const next = Math.max((turn + 1) * betweenMs, sinceMs());
    // The last stretch is without a fault: what it shows is how the service has come out of them.
    // A fault that took long to be over counts by when it was, not by when the next was planned.
    if (next > overMs - betweenMs / 2) return;
    await pause(Math.max(0, next - sinceMs()));
    const trouble = troubles[turn % troubles.length];
    if (trouble === undefined) return;
    tell({ atMs: sinceMs(), what: trouble.what });
    await trouble.make();
  }
}

const wireFaults: readonly (readonly [what: string, fault: Fault])[] = [
  ['loses answers', { kind: 'lost', direction: 'answers' }],
  ['is slow', { kind: 'slow', milliseconds: 400 }],
  ['is open at one end only', { kind: 'half-open' }],
  ['is cut', { kind: 'cut' }],
  ['holds requests back', { kind: 'held', direction: 'requests' }],
  ['breaks in the middle of answers', { kind: 'cut-off', afterBytes: 3_000 }],
  ['is reset', { kind: 'reset' }],
];

/** Processes and database are killed between the faults of the wires, so that each is met early. */
function troublesOf({ places, killDatabase }: Site, lastsMs: number): readonly Trouble[] {
  const kills: readonly Trouble[] = [
    ...places.map(({ kill }, index) => ({
      what: `service ${index + 1} is killed`,
      make: kill,
    })),
    ...(killDatabase === undefined ? [] : [{ what: 'the database is killed', make: killDatabase }]),
  ];
  return wireFaults.flatMap(([what, fault], index) => {
    const number = index % places.length;
    const place = places[number];
    const kill = kills[index % kills.length];
    if (place === undefined || kill === undefined) return [];
    const troubled = { what: `the wire of service ${number + 1} ${what}` };
    return [kill, { ...troubled, make: () => troubleWire(place, fault, lastsMs) }];
  });
}

async function troubleWire({ wire }: Place, fault: Fault, lastsMs: number): Promise<void> {
  // Under load something is always on the wire; how long the fault lasts is what counts.
  void wire.impose(fault);
  await pause(lastsMs);
  wire.mend();
}
