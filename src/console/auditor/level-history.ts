/** A SKU's movements as lines over time: what stood at each location after each of them. */
import type { MovementAnswer } from '../answers.ts';

export interface LevelHistory {
  /** Seconds, rising. */
  readonly times: readonly number[];
  readonly locations: readonly {
    readonly location: string;
    /** On hand at each time; null before the location was first touched. */
    readonly onHand: readonly (number | null)[];
  }[];
}

/** @param movements newest first, as the service lists them. */
export function levelHistory(movements: readonly MovementAnswer[]): LevelHistory {
  const inOrder = movements.toReversed().filter(({ lines }) => lines.length > 0);
  const names = new Set(inOrder.flatMap(({ lines }) => lines.map(({ location }) => location)));
  return {
    times: inOrder.map(({ at }) => Date.parse(at) / 1_000),
    locations: Array.from(names, (location) => ({
      location,
      onHand: levelsOf(inOrder, location),
    })),
  };
}

function levelsOf(
  inOrder: readonly MovementAnswer[],
  location: string,
): readonly (number | null)[] {
  let last: number | null = null;
  return inOrder.map(({ lines }) => {
    last = lines.findLast((line) => line.location === location)?.onHand ?? last;
    return last;
  });
}
