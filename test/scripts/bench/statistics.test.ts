import { describe, expect, it } from 'vitest';
import { Latencies, median, percentile } from '../../../scripts/bench/statistics.ts';

describe('median', () => {
  it('is the middle one of an odd number, whatever their order', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([100, 20, 3])).toBe(20);
  });

  it('is between the two in the middle of an even number', () => {
    expect(median([4, 1, 3, 2])).toBe(2.5);
  });

  it('of nothing is nothing', () => {
    expect(median([])).toBeUndefined();
  });
});

describe('percentile', () => {
  const oneToHundred = Array.from({ length: 100 }, (_, index) => 100 - index);

  it('is the nearest rank', () => {
    expect(percentile(oneToHundred, 50)).toBe(50);
    expect(percentile(oneToHundred, 99)).toBe(99);
    expect(percentile(oneToHundred, 100)).toBe(100);
    expect(percentile([7], 1)).toBe(7);
  });

  it('orders numbers as numbers', () => {
    expect(percentile([10, 9, 100], 100)).toBe(100);
  });

  it('of nothing is nothing', () => {
    expect(percentile([], 50)).toBeUndefined();
  });
});

describe('latencies', () => {
  it('sum up what was added', () => {
    const latencies = new Latencies();
    for (let value = 1; value <= 200; value += 1) latencies.add(value);
    expect(latencies.summary()).toEqual({ samples: 200, p50: 100, p99: 198 });
  });

  it('keep the newest once there is no more room, and count them all', () => {
    const latencies = new Latencies();
    for (let value = 0; value < 10; value += 1) latencies.add(1_000_000);
    for (let value = 0; value < 131_072; value += 1) latencies.add(2);
    expect(latencies.summary()).toEqual({ samples: 131_082, p50: 2, p99: 2 });
  });
});
