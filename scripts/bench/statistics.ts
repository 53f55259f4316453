/** What is made of samples: medians, percentiles, and a recorder that does not grow. */

/** @returns undefined where there are no values: no figure is better than a made-up one. */
export function median(values: readonly number[]): number | undefined {
  if (values.length === 0) return undefined;
  const sorted = values.toSorted((one, other) => one - other);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? NaN;
  return (lower + upper) / 2;
}

/** The nearest-rank percentile: a value that was measured, not one in between. */
export function percentile(values: ArrayLike<number>, percent: number): number | undefined {
  if (values.length === 0) return undefined;
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)];
}

export interface LatencySummary {
  readonly samples: number;
  readonly p50: number;
  readonly p99: number;
}

const samplesKept = 131_072;

/** Keeps the newest samples in room taken at the start, so that it never counts as growth. */
export class Latencies {
  readonly #kept = new Float64Array(samplesKept);
  #count = 0;

  add(milliseconds: number): void {
    this.#kept[this.#count % samplesKept] = milliseconds;
    this.#count += 1;
  }

  summary(): LatencySummary {
    const kept = this.#kept.subarray(0, Math.min(this.#count, samplesKept));
    return {
      samples: this.#count,
      p50: percentile(kept, 50) ?? 0,
      p99: percentile(kept, 99) ?? 0,
    };
  }
}
