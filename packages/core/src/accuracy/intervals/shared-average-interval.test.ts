import { describe, expect, it } from "vitest";
import type { Noise } from "../../mechanisms/noise.ts";
import { noiseLaw } from "../laws/noise-laws.ts";
import { laplace, rounded } from "../testing/simulated-noise.ts";
import { averageIntervals } from "./average-interval.ts";
import { sharedAverageHalfWidths } from "./half-widths.ts";
import { type SharedAverageSetting, sharedAverageIntervals } from "./shared-average-interval.ts";

/** Cells of values in [−half, half] about the middle: A = Σ (i + half), B = Σ (half − i), so S = (A − B)/2 and C = (A + B)/(2·half). */
const cellsOf = (half: number, noise: Noise, confidence = 0.95): SharedAverageSetting => ({
  half: BigInt(half),
  noises: [noise, noise],
  sumWeights: [0.5, -0.5],
  countWeights: [1 / (2 * half), 1 / (2 * half)],
  confidence,
});

function reach(noise: Noise): number {
  const law = noiseLaw(noise);
  return Math.ceil(law.scale * (law.family === "laplace" ? 10 : 5)) + 1;
}

/** The exact chance that the interval holds the average, over all draws of both noises (draws beyond `reach` count as misses). */
function coverage(half: number, told: Noise, drawn: Noise, mean: number, rows: number): number {
  const interval = sharedAverageIntervals(cellsOf(half, told));
  const [low, high] = [(mean + half) * rows, (half - mean) * rows];
  const law = noiseLaw(drawn);
  const most = reach(drawn);
  let covered = 0;
  for (let a = -most; a <= most; a++) {
    let inner = 0;
    for (let b = -most; b <= most; b++) {
      const [A, B] = [low + a, high + b];
      const { lower, upper } = interval({
        sum: (A - B) / 2,
        count: (A + B) / (2 * half),
        size: Math.abs(A) + Math.abs(B),
      });
      if (lower <= mean && mean <= upper) inner += law.mass(Math.abs(b));
    }
    covered += inner * law.mass(Math.abs(a));
  }
  return covered;
}

describe("the interval of an average that is read from shared totals", () => {
  it.each([
    [3, laplace(6)],
    [5, laplace(2)],
    [4, rounded(7)],
  ] as const)("covers exactly at every size and place: half %i", (half, noise) => {
    for (const rows of [1, 3, 12])
      for (const mean of [-half, -1, 0, half / 2, half])
        expect(coverage(half, noise, noise, mean, rows), `${rows} ${mean}`).toBeGreaterThanOrEqual(0.95);
  });

  it("would fail were the noise 15 % larger than told", () => {
    expect(coverage(5, laplace(10), laplace(10), 2, 40)).toBeLessThan(0.957);
    expect(coverage(5, laplace(10), laplace(11.5), 2, 40)).toBeLessThan(0.94);
  });

  it("is that of an average of its own sum and count, where these are the totals", () => {
    const [sumNoise, countNoise] = [laplace(60), laplace(2)];
    const own = averageIntervals({ half: 30n, sumNoise, countNoise, confidence: 0.95 });
    const shared = sharedAverageIntervals({
      ...{ half: 30n, confidence: 0.95, noises: [sumNoise, countNoise] },
      ...{ sumWeights: [1, 0], countWeights: [0, 1] },
    });
    for (const [sum, count] of [
      [-2063, 99],
      [500, 2000],
      [0, 3],
    ] as const) {
      const [a, b] = [own({ sum: BigInt(sum), count: BigInt(count) }), shared({ sum, count, size: 9000 })];
      expect(b.value).toBe(a.value);
      expect(Math.abs(b.lower - a.lower)).toBeLessThan(0.01 * (a.upper - a.lower));
      expect(Math.abs(b.upper - a.upper)).toBeLessThan(0.01 * (a.upper - a.lower));
    }
  });

  it("is the whole domain where the noise drowns the count, and a point where there is no noise", () => {
    const drowned = sharedAverageIntervals(cellsOf(5, laplace(1000)))({ sum: 3, count: 1, size: 30 });
    expect(drowned).toMatchObject({ lower: -5, upper: 5 });
    const still = sharedAverageIntervals(cellsOf(5, { mechanism: "constant@1" }))({
      ...{ sum: 8, count: 4, size: 80 },
    });
    expect(still.lower).toBeCloseTo(2, 9);
    expect(still.upper).toBeCloseTo(2, 9);
  });

  it("is as wide in advance as where the noise happens to be 0, and widest at an end", () => {
    const { typical, worst } = sharedAverageHalfWidths(cellsOf(50, laplace(100)))(20_000);
    // |N_A − N_B|/2 exceeds 4.11·100/2 with chance 0.05, and |N_B| exceeds 100·ln 20.
    expect(typical).toBeCloseTo(205.6 / 20_000, 3);
    expect(worst / ((100 * Math.log(20)) / 20_000)).toBeCloseTo(1, 2);
  });

  it("refuses weights of other totals", () => {
    const weights = { ...cellsOf(5, laplace(1)), countWeights: [1] };
    expect(() => sharedAverageIntervals(weights)).toThrow(/weights/);
  });
});
