/** The figures of a soak as a picture: one strip a figure, with a mark wherever something was done. */
import type { Happened } from './faults.ts';
import type { Figure } from './report.ts';
import { rounded } from './report.ts';

const [width, left, right] = [960, 80, 20];
const [stripHeight, plotHeight, top] = [110, 64, 30];
const colours = ['#1f6feb', '#d1701a'] as const;

interface Scale {
  readonly x: (atMs: number) => string;
  readonly y: (value: number) => string;
}

/** @param times of the samples, in milliseconds, in their order. */
export function pictureOf(
  figures: readonly Figure[],
  times: readonly number[],
  happened: readonly Happened[],
): string {
  const endMs = Math.max(1, ...times, ...happened.map(({ atMs }) => atMs));
  const height = top + figures.length * stripHeight + 20;
  const strips = figures.map((figure, index) => {
    const most = mostOf(figure);
    const scale: Scale = {
      x: (atMs) => (left + (atMs / endMs) * (width - left - right)).toFixed(1),
      y: (value) => (plotHeight - (value / most) * plotHeight).toFixed(1),
    };
    return strip(figure, { most, scale, times, happened, y: top + index * stripHeight });
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" ` +
      `height="${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="100%" height="100%" fill="white"/>`,
    ...strips,
    `<text x="${width - right}" y="${height - 8}" text-anchor="end" fill="#555">` +
      `${rounded(endMs / 1_000)} s</text>`,
    '</svg>',
    '',
  ].join('\n');
}

/** The top of the axis; above zero, so that there is one. */
function mostOf({ lines }: Figure): number {
  return lines.flat().reduce<number>((most, value) => Math.max(most, value ?? 0), 0) || 1;
}

function strip(
  { title, unit, lines }: Figure,
  {
    most,
    scale,
    times,
    happened,
    y,
  }: {
    readonly most: number;
    readonly scale: Scale;
    readonly times: readonly number[];
    readonly happened: readonly Happened[];
    readonly y: number;
  },
): string {
  const marks = happened.map(
    ({ atMs, what }) =>
      `<line x1="${scale.x(atMs)}" x2="${scale.x(atMs)}" y1="0" y2="${plotHeight}" ` +
      `stroke="#e5b8b8"><title>${escaped(what)}</title></line>`,
  );
  const paths = lines.map(
    (line, index) =>
      `<path d="${pathOf(line, times, scale)}" fill="none" stroke-width="1.5" ` +
      `stroke="${colours[index % colours.length] ?? ''}"/>`,
  );
  return [
    `<g transform="translate(0 ${y + 16})">`,
    `<text x="${left}" y="-6" font-weight="bold">${escaped(title)}</text>`,
    `<text x="${left - 6}" y="10" text-anchor="end">${rounded(most)} ${escaped(unit)}</text>`,
    `<text x="${left - 6}" y="${plotHeight}" text-anchor="end">0</text>`,
    `<rect x="${left}" width="${width - left - right}" height="${plotHeight}" fill="none" stroke="#ccc"/>`,
    ...marks,
    ...paths,
    '</g>',
  ].join('\n');
}

/** A line with a gap wherever nothing was learnt. */
function pathOf(
  values: readonly (number | undefined)[],
  times: readonly number[],
  { x, y }: Scale,
): string {
  let isDrawing = false;
  return values
    .flatMap((value, index) => {
      const at = times[index];
      const isKnown = value !== undefined && at !== undefined;
      const step = isKnown ? [`${isDrawing ? 'L' : 'M'}${x(at)} ${y(value)}`] : [];
      isDrawing = isKnown;
      return step;
    })
    .join('');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
