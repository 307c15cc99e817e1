import { describe, expect, it } from "vitest";
import { type DominatingPair, gaussianPair, laplacePair, twoPointPair } from "../pairs/index.ts";
import { mergeGaussians, mergePairs, totalMu } from "./counted-pair.ts";

const times = (pair: DominatingPair, count: number) => ({ pair, count: BigInt(count) });
const counts = (pairs: ReturnType<typeof mergePairs>) => pairs.map(({ pair, count }) => [pair.id, count]);

describe("pairs to compose", () => {
  it("of one name are one, run as often as all of them", () => {
    const pairs = [times(laplacePair(1), 2), times(gaussianPair(1), 1), times(laplacePair(1), 3)];
    expect(counts(mergePairs(pairs))).toEqual([
      [laplacePair(1).id, 5n],
      [gaussianPair(1).id, 1n],
    ]);
  });

  it("count only where they are run, and tell something", () => {
    expect(mergePairs([times(laplacePair(1), 0), times(laplacePair(2), -1)])).toEqual([]);
    expect(mergePairs([times(twoPointPair(0, 0), 5), times(gaussianPair(0), 5)])).toEqual([]);
    const still = twoPointPair(0, 0);
    for (const [name, value] of [
      ["maxLoss", 1],
      ["maxReverseLoss", 1],
      ["infiniteP", 1e-9],
      ["infiniteQ", 1e-9],
    ] as const) {
      expect(mergePairs([times({ ...still, [name]: value }, 1)]), name).toHaveLength(1);
    }
  });
});

describe("Gaussians", () => {
  it("are one of the root of the sum of squares, rounded up by little", () => {
    expect(totalMu([times(gaussianPair(3), 1), times(gaussianPair(4), 1)])).toBeGreaterThanOrEqual(5);
    expect(totalMu([times(gaussianPair(3), 1), times(gaussianPair(4), 1)])).toBeLessThan(5 + 1e-14);
    expect(totalMu([times(gaussianPair(0.1), 100)])).toBeCloseTo(1, 14);
    // √3·0.1: a double below would lose less than the mechanisms do.
    const three = totalMu([times(gaussianPair(0.1), 3)]);
    expect(three * three).toBeGreaterThanOrEqual(3 * 0.1 * 0.1);
    expect(totalMu([times(laplacePair(1), 3)])).toBe(0);
    expect(totalMu([])).toBe(0);
  });

  it("run once are themselves, to the last digit, also beside others", () => {
    for (const mu of [0.1, 1 / 3, 2.3e-7]) {
      expect(totalMu([times(gaussianPair(mu), 1)])).toBe(mu);
      expect(totalMu([times(laplacePair(1), 7), times(gaussianPair(mu), 1)])).toBe(mu);
    }
  });

  it("take the place of their parts, beside all others", () => {
    const merged = mergeGaussians([
      ...[times(gaussianPair(0.3), 1), times(laplacePair(1), 7), times(gaussianPair(0.4), 1)],
    ]);
    expect(merged).toHaveLength(2);
    expect(merged[0]).toMatchObject({ count: 7n, pair: { gaussian: null } });
    expect(merged[1]!.count).toBe(1n);
    expect(merged[1]!.pair.gaussian).toBeCloseTo(0.5, 14);
  });

  it("stay apart where their total is beyond what a pair holds", () => {
    const inside = [times(gaussianPair(600), 1), times(gaussianPair(799), 1)];
    const beyond = [times(gaussianPair(800), 2)];
    expect(mergeGaussians(inside)).toHaveLength(1);
    expect(mergeGaussians(beyond)).toEqual(beyond);
    expect(mergeGaussians([times(laplacePair(1), 2)])).toHaveLength(1);
  });
});
