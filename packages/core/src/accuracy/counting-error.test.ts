import { describe, expect, it } from "vitest";
import { type CountingRequest, countingFor, openCounting } from "../mechanisms/continual-counting/index.ts";
import { parseRational, ratio } from "../numeric/rational.ts";
import { SeededSource } from "../tape.ts";
import {
  countingErrors,
  countingRadius,
  countingSimultaneousRadius,
  countingVariance,
} from "./counting-error.ts";
import { laplaceLaw, laplaceQuantile } from "./laws/laplace-law.ts";
import { laplaceSumQuantile, laplaceSumTail } from "./laws/laplace-sum-law.ts";
import { noiseVariance } from "./laws/noise-variance.ts";

const invalid = expect.objectContaining({ code: "parameter.invalid" });
const rho = { rho: ratio(1n, 2n) };

describe("the law of a sum of discrete Laplace noises", () => {
  it("is the convolution of their mass functions", () => {
    for (const scale of [0.3, 1, 4]) {
      const law = laplaceLaw(parseRational(String(scale)));
      const reach = Math.ceil(60 * scale) + 20;
      const single = Array.from({ length: 2 * reach + 1 }, (_, i) => law.mass(Math.abs(i - reach)));
      let sum = single;
      for (let m = 1; m <= 5; m++) {
        const middle = m * reach;
        for (const q of [0, 1, 3, 10]) {
          const tail = sum.slice(middle + q + 1).reduce((a, b) => a + b, 0);
          expect(laplaceSumTail(m, scale, q) / tail).toBeCloseTo(1, 9);
        }
        const next = new Array<number>(sum.length + single.length - 1).fill(0);
        sum.forEach((a, i) => {
          single.forEach((b, j) => {
            next[i + j]! += a * b;
          });
        });
        sum = next;
      }
    }
  });
  it("of one noise has its quantiles", () => {
    for (const scale of ["10", "1/3", "1000"]) {
      for (const alpha of ["0.5", "0.05", "1e-9"]) {
        const [s, a] = [parseRational(scale), parseRational(alpha)];
        expect(laplaceSumQuantile(1, s, a)).toBe(laplaceQuantile(s, a));
      }
    }
  });
  it("of many noises is close to the normal law", () => {
    const scale = ratio(100n);
    const deviation = Math.sqrt(64 * noiseVariance({ mechanism: "discrete-laplace@1", scale: "100" }));
    const q = Number(laplaceSumQuantile(64, scale, parseRational("0.05")));
    expect(q / deviation).toBeGreaterThan(1.93);
    expect(q / deviation).toBeLessThan(1.99);
  });
  it.each([0, 65, 1.5, Number.NaN])("refuses %s terms", (terms) => {
    expect(() => laplaceSumQuantile(terms, ratio(1n), parseRational("0.05"))).toThrow(invalid);
  });
});

describe("errors of running totals", () => {
  it("of a tree are Var·popcount", () => {
    const plan = countingFor({ steps: 13, form: "tree" }, { epsilon: ratio(1n) });
    const each = noiseVariance(plan.noise);
    const ones = (t: number): number => t.toString(2).replaceAll("0", "").length;
    for (let t = 1; t <= 13; t++) expect(countingVariance(plan, t) / each).toBeCloseTo(ones(t), 9);
    const all = Array.from({ length: 13 }, (_, i) => ones(i + 1));
    const { meanSquared, maxSquared } = countingErrors(plan);
    expect(meanSquared / each).toBeCloseTo(all.reduce((a, b) => a + b) / 13, 9);
    expect(maxSquared / each).toBeCloseTo(Math.max(...all), 9);
  });

  it("of the square root are (Σc²)²/μ² at the end", () => {
    const plan = countingFor({ steps: 1024, form: "sqrt-toeplitz" }, rho);
    // ρ = 1/2 is μ = 1.
    expect(countingErrors(plan).maxSquared).toBeCloseTo(3.27255415027 ** 2, 6);
    expect(countingVariance(plan, 1)).toBeCloseTo(3.27255415027, 8);
  });

  it("of bands are those of the inverse series", () => {
    const plan = countingFor({ steps: 50, form: { bands: 6 } }, rho);
    const c = [1, 1 / 2, 3 / 8, 5 / 16, 35 / 128, 63 / 256];
    const norm = c.reduce((total, x) => total + x * x, 0);
    const h: number[] = [];
    for (let n = 0; n < 50; n++) {
      let next = 1;
      for (let i = 1; i < 6 && i <= n; i++) next -= c[i]! * h[n - i]!;
      h.push(next);
    }
    let sum = 0;
    h.forEach((x, t) => {
      sum += x * x;
      expect(countingVariance(plan, t + 1)).toBeCloseTo(norm * sum, 6);
    });
  });

  it("are least for the square root, by far against the tree, at the same price", () => {
    for (const steps of [16, 1000, 4096]) {
      const tree = countingErrors(countingFor({ steps, form: "tree" }, rho));
      const root = countingErrors(countingFor({ steps, form: "sqrt-toeplitz" }, rho));
      expect(root.maxSquared).toBeLessThan(tree.maxSquared / 3);
      expect(root.meanSquared).toBeLessThan(tree.meanSquared / 2);
    }
  });

  it("are less for bands than for the full square root where a unit takes part often, as Kalinin & Lampert find", () => {
    const many = { steps: 1000, participations: 10, separation: 100 };
    const full = countingErrors(countingFor({ ...many, form: "sqrt-toeplitz" }, rho));
    const bands = countingErrors(countingFor({ ...many, form: { bands: 100 } }, rho));
    expect(bands.meanSquared).toBeLessThan(full.meanSquared);
  });

  const statistical: readonly [string, CountingRequest, Parameters<typeof countingFor>[1]][] = [
    ["Laplace tree", { steps: 7, form: "tree" }, { epsilon: ratio(1n) }],
    ["Gaussian tree", { steps: 7, form: "tree" }, { rho: ratio(1n, 50n) }],
    ["square root", { steps: 7, form: "sqrt-toeplitz" }, { rho: ratio(1n, 50n) }],
    [
      "two bands, twice",
      { steps: 7, form: { bands: 2 }, participations: 2, separation: 3 },
      { rho: ratio(1n, 50n) },
    ],
  ];
  // 6,000 runs: the mean of squares has a relative deviation of at most √(5/6000) = 2.9 %, so 15 % is 5 deviations: a
  // false alarm below 1e-6 each; a σ off by 10 % moves it by 21 %.
  it.each(statistical)("are what is measured: %s", (_name, request, budget) => {
    const plan = countingFor(request, budget);
    const bits = new SeededSource(77);
    const runs = 6000;
    const squares = new Array<number>(7).fill(0);
    let [sum, misses, allMisses] = [0, 0, 0];
    const [last, all] = [countingRadius(plan, 7, 0.9), countingSimultaneousRadius(plan, 0.9)];
    for (let run = 0; run < runs; run++) {
      const stream = openCounting(plan);
      let worst = 0;
      for (let t = 1; t <= 7; t++) {
        const error = Number(stream.add(1n, bits)) - t;
        squares[t - 1]! += error * error;
        worst = Math.max(worst, Math.abs(error));
        if (t === 7) {
          sum += error;
          if (Math.abs(error) > last) misses += 1;
        }
      }
      if (worst > all) allMisses += 1;
    }
    squares.forEach((square, i) => {
      const expected = countingVariance(plan, i + 1) + (plan.gridBits > 0 ? 1 / 12 : 0);
      expect(Math.abs(square / runs / expected - 1), `step ${i + 1}`).toBeLessThan(0.15);
    });
    expect(Math.abs(sum / runs)).toBeLessThan(5 * Math.sqrt(countingVariance(plan, 7) / runs));
    // Coverage: 10 % ± 5 deviations of 0.39 %; tight, so not far below either (integers: a step of the law at most).
    expect(misses / runs).toBeLessThan(0.12);
    expect(misses / runs).toBeGreaterThan(0.07);
    expect(allMisses / runs).toBeLessThan(0.12);
  });

  it("has radii that grow with confidence and with what must hold at once", () => {
    for (const [, request, budget] of statistical) {
      const plan = countingFor(request, budget);
      const bars = [0.5, 0.9, 0.99, 0.999999].map((c) => countingRadius(plan, 7, c));
      expect([...bars].sort((a, b) => Number(a - b))).toEqual(bars);
      expect(countingSimultaneousRadius(plan, 0.9) >= countingRadius(plan, 7, 0.9)).toBe(true);
    }
  });
  it("is exact where nothing can move", () => {
    const plan = countingFor({ steps: 5, form: "sqrt-toeplitz", lo: 1n }, rho);
    expect(countingErrors(plan)).toEqual({ meanSquared: 0, maxSquared: 0 });
    expect(countingSimultaneousRadius(plan, 0.99)).toBe(0n);
  });
  it("knows long streams without walking through them", () => {
    const tree = countingFor({ steps: 2 ** 32, form: "tree" }, { epsilon: ratio(1n) });
    expect(countingErrors(tree).maxSquared / noiseVariance(tree.noise)).toBe(32);
    expect(countingSimultaneousRadius(tree, 0.95) > 0n).toBe(true);
    const banded = countingFor({ steps: 1_000_000, form: { bands: 32 } }, rho);
    expect(countingErrors(banded).meanSquared).toBeGreaterThan(0);
  });
  it("are the figures of the examples", () => {
    const tree = (steps: number) => countingFor({ steps, form: "tree" }, { epsilon: ratio(1n) });
    expect(countingErrors(tree(4)).maxSquared).toBeCloseTo(35.66851, 5);
    expect(countingRadius(tree(1000), 1000, 0.95)).toBe(69n);
  });
  it("of bands grow by the same square at every step, in the long run", () => {
    // h tends to 1/Σc: from some step on each adds (Σc²)·h².
    const plan = countingFor({ steps: 3000, form: { bands: 3 } }, rho);
    const c = [1, 1 / 2, 3 / 8];
    const norm = c.reduce((total, x) => total + x * x, 0);
    const h = 1 / c.reduce((total, x) => total + x, 0);
    for (const step of [500, 1000, 3000]) {
      const grown = countingVariance(plan, step) - countingVariance(plan, step - 1);
      expect(grown).toBeCloseTo(norm * h * h, 6);
    }
    const { meanSquared, maxSquared } = countingErrors(plan);
    expect(maxSquared).toBe(countingVariance(plan, 3000));
    let total = 0;
    for (const step of [1, 1000, 2000, 3000]) total += countingVariance(plan, step);
    // Straight but for its start: the mean is near that of points evenly apart.
    expect(meanSquared / (total / 4)).toBeCloseTo(1, 1);
  });
  it("have the radius of a rounded normal number of their variance", () => {
    for (const form of ["tree", "sqrt-toeplitz", { bands: 2 }] as const) {
      const plan = countingFor({ steps: 6, form }, { rho: ratio(1n, 5000n) });
      for (const step of [1, 3, 6]) {
        // 2·Φ(−1.959964) = 1/20; half a step is rounding.
        const due = 1.959964 * Math.sqrt(countingVariance(plan, step)) - 0.5;
        expect(Number(countingRadius(plan, step, 0.95))).toBe(Math.ceil(due));
      }
    }
  });
  it("keep together what the worst step keeps at the shared chance", () => {
    for (const [steps, worst] of [
      [1, 1],
      [2, 1],
      [3, 3],
      [6, 3],
      [7, 7],
      [8, 7],
      [14, 7],
      [15, 15],
    ] as const) {
      const laplace = countingFor({ steps, form: "tree" }, { epsilon: ratio(1n) });
      const union = 1 - 0.1 / steps;
      expect(
        Math.abs(Number(countingSimultaneousRadius(laplace, 0.9) - countingRadius(laplace, worst, union))),
      ).toBe(0);
      const gaussian = countingFor({ steps, form: "tree" }, { rho: ratio(1n, 5000n) });
      expect(countingSimultaneousRadius(gaussian, 0.9)).toBe(
        countingRadius(gaussian, worst, 0.9 ** (1 / steps)),
      );
    }
    const root = countingFor({ steps: 6, form: "sqrt-toeplitz" }, { rho: ratio(1n, 5000n) });
    expect(countingSimultaneousRadius(root, 0.9)).toBe(countingRadius(root, 6, 0.9 ** (1 / 6)));
  });
  it("are not tabulated beyond 2^24 steps", () => {
    const long = countingFor({ steps: 2 ** 24 + 1, form: { bands: 2 } }, rho);
    expect(() => countingErrors(long)).toThrow(invalid);
    expect(() => countingVariance(long, 1)).toThrow(invalid);
  });
  it.each(["discrete-gaussian@1", "toString", "unheard-of@1"])("refuse the noise %s", (mechanism) => {
    const plan = countingFor({ steps: 5, form: "tree" }, rho);
    const other = { ...plan, noise: { mechanism, sigmaSquared: "4" } as unknown as typeof plan.noise };
    expect(() => countingRadius(other, 5, 0.9)).toThrow(invalid);
    expect(() => countingSimultaneousRadius(other, 0.9)).toThrow(invalid);
  });
  it("refuses steps outside the plan", () => {
    const plan = countingFor({ steps: 5, form: "tree" }, rho);
    for (const step of [0, 6, 1.5, Number.NaN]) {
      expect(() => countingVariance(plan, step)).toThrow(invalid);
      expect(() => countingRadius(plan, step, 0.9)).toThrow(invalid);
    }
    expect(() => countingRadius(plan, 5, 1)).toThrow(invalid);
    expect(() => countingSimultaneousRadius(plan, Number.NaN)).toThrow(invalid);
  });
});
