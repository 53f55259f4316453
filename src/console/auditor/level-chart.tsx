import { useEffect, useRef } from 'preact/hooks';
import { texts } from '../texts.ts';
import type { LevelHistory } from './level-history.ts';

/** Told apart without colour as well: each has its own dash. */
const strokes = [
  { stroke: '#14532d', dash: [] },
  { stroke: '#1d4ed8', dash: [8, 4] },
  { stroke: '#b45309', dash: [2, 4] },
  { stroke: '#7e22ce', dash: [12, 4, 2, 4] },
  { stroke: '#be123c', dash: [4, 4] },
] as const;

const height = 320;

export function LevelChart({ history }: { readonly history: LevelHistory }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const drawn = draw(place.current, history);
    return () => {
      void drawn.then((destroy) => {
        destroy?.();
      });
    };
  }, [history]);
  return (
    <figure>
      <figcaption>{texts.history.chart}</figcaption>
      <div ref={place} role="img" aria-label={texts.history.chart} />
    </figure>
  );
}

/** The chart's code is loaded by whoever looks at one. */
async function draw(
  place: HTMLDivElement | null,
  { times, locations }: LevelHistory,
): Promise<(() => void) | undefined> {
  const [{ default: UPlot }] = await Promise.all([
    import('uplot'),
    import('uplot/dist/uPlot.min.css'),
  ]);
  if (place?.isConnected !== true) return undefined;
  const { stepped } = UPlot.paths;
  const chart = new UPlot(
    {
      width: place.clientWidth,
      height,
      series: [
        {},
        ...locations.map(({ location }, index) => ({
          label: location,
          stroke: strokes[index % strokes.length]?.stroke ?? '#000',
          dash: [...(strokes[index % strokes.length]?.dash ?? [])],
          width: 2,
          ...(stepped === undefined ? {} : { paths: stepped({ align: 1 }) }),
        })),
      ],
    },
    [[...times], ...locations.map(({ onHand }) => [...onHand])],
    place,
  );
  return () => {
    chart.destroy();
  };
}
