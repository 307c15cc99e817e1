import { describe, expect, it } from "vitest";
import { ratio, zero } from "../../../numeric/rational.ts";
import { chordOfIntegers } from "./chord-of-integers.ts";
import {
  boundedRangeRenyi,
  composeRenyi,
  finitePairRenyi,
  gaussianRenyi,
  groupRenyi,
  laplaceRenyi,
  leastOverOrders,
  mixedRenyi,
  poissonRepeatedRenyi,
  pureRenyi,
  type RenyiCurve,
  repeatedRenyi,
  sampledGaussianRenyi,
  sampledRenyi,
  sampledWithoutReplacementRenyi,
  zcdpRenyi,
} from "./index.ts";

/* What each curve says of itself, and cases worked out by hand. */

const inf = Number.POSITIVE_INFINITY;
/** Not below, and above by the margin alone. */
function justAbove(found: number | undefined, truth: number, margin = 1e-11): void {
  expect(found).toBeGreaterThanOrEqual(truth * (1 - 1e-15));
  expect(found).toBeLessThanOrEqual(truth * (1 + margin));
}
const [half, quarter, most] = [ratio(1n, 2n), ratio(1n, 4n), ratio(3n, 4n)];

describe.each<readonly [string, RenyiCurve, boolean, number | undefined, number | undefined]>([
  ["Gaussian", gaussianRenyi(0.25), true, undefined, 0.25],
  ["Laplace", laplaceRenyi(2), true, 2, undefined],
  ["pure", pureRenyi(2), true, 2, undefined],
  ["bounded range", boundedRangeRenyi(2), true, 2, undefined],
  ["zCDP", zcdpRenyi(2), false, undefined, undefined],
  ["finite pair", finitePairRenyi([quarter, most], [half, half]), true, Math.LN2, undefined],
  ["finite pair of equal laws", finitePairRenyi([half, half], [half, half]), true, 0, undefined],
  [
    "finite pair that may tell all",
    finitePairRenyi([half, half, zero], [half, zero, half]),
    true,
    undefined,
    undefined,
  ],
  ["sampled Gaussian", sampledGaussianRenyi(1, 0.5), true, undefined, undefined],
  ["Gaussian on all", sampledGaussianRenyi(1, 1), true, undefined, 1],
  ["Gaussian on none", sampledGaussianRenyi(1, 0), true, undefined, 0],
  ["nothing on a sample", sampledGaussianRenyi(0, 0.5), true, undefined, 0],
  ["pure on a sample", sampledRenyi(pureRenyi(2), 0.25), false, Math.log1p(0.25 * Math.expm1(2)), undefined],
  ["pure on none", sampledRenyi(pureRenyi(2), 0), true, 0, undefined],
  ["very lossy on a sample", sampledRenyi(pureRenyi(701), 0.25), false, 701 + Math.log(0.25), undefined],
  ["zCDP on a sample", sampledRenyi(zcdpRenyi(2), 0.25), false, undefined, undefined],
  [
    "pure on a drawn sample",
    ...([
      sampledWithoutReplacementRenyi(pureRenyi(2), 8, 2),
      false,
      Math.log1p(0.25 * Math.expm1(2)),
      undefined,
    ] as const),
  ],
  [
    "very lossy on a drawn sample",
    sampledWithoutReplacementRenyi(pureRenyi(701), 8, 2),
    false,
    701,
    undefined,
  ],
  ["pure on a drawn none", sampledWithoutReplacementRenyi(pureRenyi(2), 8, 0), true, 0, undefined],
  ["pure in a group", groupRenyi(pureRenyi(2), 3n), false, 6, undefined],
  ["Gaussian in a group", groupRenyi(gaussianRenyi(0.25), 3n), true, undefined, 2.25],
  ["zCDP in a group", groupRenyi(zcdpRenyi(2), 3n), false, undefined, undefined],
  ["best of many pure ones", repeatedRenyi(pureRenyi(2), 1, 0.5), false, 6, undefined],
  ["best of many zCDP ones", repeatedRenyi(zcdpRenyi(2), 1, 0.5), false, undefined, undefined],
  ["best of a Poisson number", poissonRepeatedRenyi(pureRenyi(2), 3, () => 0), false, undefined, undefined],
])("the curve of %s", (_name, curve, tight, maxLoss, muSquared) => {
  it("says whether it is reached, its largest loss and its μ²", () => {
    expect(curve.tight).toBe(tight);
    for (const [found, due] of [
      [curve.maxLoss, maxLoss],
      [curve.muSquared, muSquared],
    ]) {
      if (due === undefined) expect(found).toBeUndefined();
      else justAbove(found, due, 3e-12);
    }
  });
});

it("names tell curves apart", () => {
  const base = [pureRenyi(1), pureRenyi(2), laplaceRenyi(1), boundedRangeRenyi(1), gaussianRenyi(1)];
  const curves = [
    ...base,
    ...[zcdpRenyi(1), zcdpRenyi(1, 2), zcdpRenyi(1, 3)],
    ...base.slice(0, 3).flatMap((curve) => [
      ...[sampledRenyi(curve, 0.5), sampledRenyi(curve, 0.25), sampledRenyi(curve, 0)],
      ...[sampledWithoutReplacementRenyi(curve, 9, 3), sampledWithoutReplacementRenyi(curve, 9, 2)],
      ...[groupRenyi(curve, 2n), groupRenyi(curve, 3n), composeRenyi([{ curve, count: 2n }])],
      ...[repeatedRenyi(curve, 1, 0.5), repeatedRenyi(curve, 2, 0.5), repeatedRenyi(curve, 1, 0.25)],
      poissonRepeatedRenyi(curve, 2, () => 0),
      mixedRenyi([
        { weight: 0.5, curve },
        { weight: 0.5, curve: zcdpRenyi(1) },
      ]),
    ]),
    ...[sampledGaussianRenyi(1, 0.5), sampledGaussianRenyi(2, 0.5), sampledGaussianRenyi(1, 0.25)],
  ];
  expect(new Set(curves.map(({ id }) => id)).size).toBe(curves.length);
});

describe("a composition of curves", () => {
  const [gaussian, pure] = [gaussianRenyi(0.5), pureRenyi(1)];
  it("of one is that one, and of none loses nothing", () => {
    expect(composeRenyi([{ curve: pure, count: 1n }])).toBe(pure);
    expect(
      composeRenyi([
        { curve: pure, count: 1n },
        { curve: gaussian, count: 0n },
      ]),
    ).toBe(pure);
    expect(composeRenyi([])).toMatchObject({ id: "none", tight: true, maxLoss: 0 });
    expect(composeRenyi([]).at(7)).toBe(0);
  });
  it("has the largest loss and the μ² of all, where all have one", () => {
    const both = composeRenyi([
      { curve: pure, count: 2n },
      { curve: laplaceRenyi(3), count: 3n },
    ]);
    justAbove(both.maxLoss, 11, 1e-14);
    expect(both).toMatchObject({ tight: true });
    expect(both.muSquared).toBeUndefined();
    const gaussians = composeRenyi([
      { curve: gaussian, count: 2n },
      { curve: gaussianRenyi(0.25), count: 4n },
    ]);
    justAbove(gaussians.muSquared, 2, 1e-14);
    const mixed = composeRenyi([
      { curve: gaussian, count: 1n },
      { curve: pure, count: 1n },
    ]);
    expect(mixed.maxLoss).toBeUndefined();
    expect(mixed.muSquared).toBeUndefined();
    expect(
      composeRenyi([
        { curve: pure, count: 2n },
        { curve: zcdpRenyi(1), count: 1n },
      ]).tight,
    ).toBe(false);
  });
  it("adds divergences up, infinite ones too, and none of nothing however often", () => {
    justAbove(
      composeRenyi([
        { curve: gaussian, count: 3n },
        { curve: zcdpRenyi(1), count: 2n },
      ]).at(2),
      5.5,
    );
    expect(composeRenyi([{ curve: zcdpRenyi(1, 2), count: 2n }]).at(2)).toBe(inf);
    expect(composeRenyi([{ curve: gaussianRenyi(0), count: 10n ** 400n }]).at(2)).toBe(0);
    expect(composeRenyi([{ curve: gaussian, count: 10n ** 400n }]).at(2)).toBe(inf);
  });
});

describe("a group's curve", () => {
  it("of ρ-zCDP is k²·ρ, in up to 512 blocks, a hair more in larger groups", () => {
    for (const [k, margin] of [
      [2n, 1e-11],
      [3n, 1e-11],
      [512n, 1e-11],
      [513n, 0.01],
      [5000n, 0.01],
    ] as const) {
      for (const order of [1.5, 2, 30]) {
        justAbove(groupRenyi(zcdpRenyi(0.5), k).at(order), 0.5 * Number(k) ** 2 * order, margin);
      }
    }
    expect(groupRenyi(pureRenyi(1), 1n).id).toBe(pureRenyi(1).id);
  });
  it("is never above k times the largest loss, which is all there is to say at enormous orders", () => {
    const group = groupRenyi(pureRenyi(1), 4n);
    expect(group.at(1e308)).toBe(group.maxLoss);
    expect(group.at(1e6)).toBeLessThanOrEqual(group.maxLoss!);
    expect(groupRenyi(zcdpRenyi(1), 4n).at(1e308)).toBe(inf);
    // kα·Σ D_{kα−m}/(kα − m) by hand at k = 2, α = 2.
    const by = 4 * (pureRenyi(0.1).at(4) / 4 + pureRenyi(0.1).at(3) / 3);
    justAbove(groupRenyi(pureRenyi(0.1), 2n).at(2), by);
  });
});

describe("a mixture of curves", () => {
  const part = (weight: number, curve: RenyiCurve) => ({ weight, curve });
  it("has a largest loss where all parts that are drawn have one", () => {
    expect(mixedRenyi([part(0.5, pureRenyi(1)), part(0.5, laplaceRenyi(3))]).maxLoss).toBe(3);
    expect(mixedRenyi([part(0.5, pureRenyi(1)), part(0.5, zcdpRenyi(3))]).maxLoss).toBeUndefined();
    expect(mixedRenyi([part(1, pureRenyi(1)), part(0, zcdpRenyi(3))]).maxLoss).toBe(1);
    expect(mixedRenyi([part(1, pureRenyi(1))]).tight).toBe(false);
  });
  it("is ln Σ w·e^((α−1)·D)/(α − 1), small or large", () => {
    for (const [a, b, order] of [
      [0.001, 0.002, 2],
      [0.1, 0.3, 3],
      [2, 5, 4],
      [400, 900, 3],
    ] as const) {
      const mixed = mixedRenyi([part(0.25, gaussianRenyi(a)), part(0.75, gaussianRenyi(b))]);
      const [x, y] = [((order - 1) * order * a) / 2, ((order - 1) * order * b) / 2];
      const mean = y + Math.log(0.75 + 0.25 * Math.exp(x - y));
      const small = Math.log1p(0.25 * Math.expm1(x) + 0.75 * Math.expm1(y));
      justAbove(mixed.at(order), (y < 1 ? small : mean) / (order - 1), 1e-10);
    }
    const infinite = mixedRenyi([part(0.5, gaussianRenyi(1)), part(0.5, zcdpRenyi(1, 2))]);
    expect(infinite.at(2)).toBe(inf);
    expect(infinite.at(1.5)).toBeLessThan(inf);
    expect(mixedRenyi([part(0.5, gaussianRenyi(0)), part(0.5, pureRenyi(0))]).at(3)).toBe(0);
  });
  it("bears weights that miss 1 by 1e-9, and loses no less for it", () => {
    const exact = mixedRenyi([part(0.5, gaussianRenyi(1)), part(0.5, gaussianRenyi(0))]).at(3);
    const short = mixedRenyi([part(0.5, gaussianRenyi(1)), part(0.5 - 9e-10, gaussianRenyi(0))]).at(3);
    expect(short).toBeGreaterThanOrEqual(exact * (1 - 1e-9));
  });
});

describe("the best of a random number of runs", () => {
  it("of what loses nothing costs ln E[K]/(α − 1)", () => {
    const nothing = zcdpRenyi(0);
    for (const stop of [0.1, 0.9]) {
      for (const [shape, mean] of [
        [1, 1 / stop],
        [0, (1 / stop - 1) / Math.log(1 / stop)],
        [1e-12, (1 / stop - 1) / Math.log(1 / stop)],
        [-0.5, (-0.5 * (1 - stop)) / (stop * (1 - stop ** -0.5))],
        [3, (3 * (1 - stop)) / (stop * (1 - stop ** 3))],
      ] as const) {
        for (const order of [2, 3]) {
          const found = repeatedRenyi(nothing, shape, stop).at(order);
          expect(found).toBeGreaterThanOrEqual(Math.log(mean) / (order - 1));
          expect(found).toBeLessThan(Math.log(mean) / (order - 1) + 3e-8);
        }
      }
    }
  });

  it("of a pure loss pays at most that loss, or ln(1/γ), a trial more", () => {
    // At large orders: ε + (1 + η)·min(ε, ln(1/γ), …).
    expect(repeatedRenyi(pureRenyi(0.01), 1, 1e-6).at(1e9)).toBeLessThanOrEqual(0.03 * (1 + 1e-6));
    expect(repeatedRenyi(pureRenyi(5), 1, 0.9).at(1e9)).toBeLessThanOrEqual(5 + 2 * Math.log(1 / 0.9) + 1e-6);
    // Between: the least over λ of (1 − 1/λ)·λ/2 + ln(1/γ)/λ, by a fine grid.
    let least = inf;
    for (let t = -8; t < 8; t += 1e-4) {
      const lambda = 1 + Math.exp(t);
      least = Math.min(least, ((1 - 1 / lambda) * lambda) / 2 + Math.log(10) / lambda);
    }
    const found = repeatedRenyi(gaussianRenyi(1), 2, 0.1).at(3);
    const mean = (2 * 0.9) / (0.1 * (1 - 0.01));
    expect(found).toBeCloseTo(1.5 + Math.log(mean) / 2 + 3 * least, 7);
  });

  it("of a Poisson number costs the less of two bounds", () => {
    const asked: number[] = [];
    const of = (muSquared: number, mean: number, order: number): number =>
      poissonRepeatedRenyi(gaussianRenyi(muSquared), mean, (epsilon) => {
        asked.push(epsilon);
        return 0.1;
      }).at(order);
    const bounds = (muSquared: number, mean: number, order: number): readonly number[] => {
      const excess = order - 1;
      const single = (excess * order * muSquared) / 2;
      const some = Math.log(Math.exp(-mean) + mean * Math.exp(single + excess * mean * 0.1));
      return [(mean * Math.expm1(single)) / excess, some / excess];
    };
    for (const [muSquared, mean, order] of [
      [0.25, 0.1, 2],
      [0.25, 3, 2],
      [9, 3, 2],
      [9, 0.01, 3],
      [1, 20, 4],
    ] as const)
      justAbove(of(muSquared, mean, order), Math.min(...bounds(muSquared, mean, order)), 1e-10);
    // δ is asked at ln(α/(α − 1)), or a hair below.
    for (const [i, order] of [2, 2, 2, 3, 4].entries()) {
      expect(asked[i]!).toBeLessThanOrEqual(Math.log(order / (order - 1)));
      expect(asked[i]!).toBeCloseTo(Math.log(order / (order - 1)), 12);
    }
    // No δ is above 1.
    const sure = poissonRepeatedRenyi(gaussianRenyi(9), 3, () => 7).at(2);
    justAbove(sure, Math.log(Math.exp(-3) + 3 * Math.exp(9 + 3)), 1e-10);
  });
});

describe("curves at both ends", () => {
  it("of bounded losses come near the largest loss, from below, at enormous orders", () => {
    for (const make of [laplaceRenyi, pureRenyi, boundedRangeRenyi]) {
      for (const epsilon of [1e-3, 1, 50]) {
        const found = make(epsilon).at(1e9);
        expect(found).toBeLessThanOrEqual(epsilon * (1 + 1e-11));
        expect(found).toBeGreaterThan(epsilon - 1e-7);
      }
    }
  });

  it("of bounded range are the worst two points, where both branches of the formula meet and far beyond", () => {
    const worst = (epsilon: number, order: number): number => {
      let most = 0;
      for (let i = 1; i < 20_000; i++) {
        const t = (epsilon * i) / 20_000;
        const q = (Math.exp(-t) - Math.exp(-epsilon)) / -Math.expm1(-epsilon);
        const log = (order - 1) * t + Math.log(q * Math.exp(t) + (1 - q) * Math.exp(t - order * epsilon));
        most = Math.max(most, log / (order - 1));
      }
      return most;
    };
    for (const [epsilon, order] of [
      [1, 29],
      [1, 31],
      [3, 9.9],
      [3, 10.1],
      [0.2, 400],
      [5, 50],
    ] as const) {
      const found = boundedRangeRenyi(epsilon).at(order);
      expect(found).toBeGreaterThanOrEqual(worst(epsilon, order) * (1 - 1e-12));
      expect(found).toBeLessThanOrEqual(worst(epsilon, order) + 1e-6);
    }
  });

  it("of a finite pair that one side alone may show are infinite, and outcomes of neither count nothing", () => {
    expect(finitePairRenyi([half, half], [ratio(1n), zero]).at(2)).toBe(inf);
    expect(finitePairRenyi([ratio(1n), zero], [half, half]).at(2)).toBe(inf);
    const some = finitePairRenyi([quarter, most], [half, half]);
    const padded = finitePairRenyi([quarter, zero, most], [half, zero, half]);
    expect(padded.at(2) / some.at(2)).toBeCloseTo(1, 12);
    // The larger of both directions: ln(¼²/½ + ¾²/½) and ln(½²/¼ + ½²/¾).
    justAbove(some.at(2), Math.log(1 + 1 / 3));
  });

  it("on samples of none lose nothing, on all what they are", () => {
    for (const curve of [pureRenyi(1), zcdpRenyi(1)]) {
      expect(sampledRenyi(curve, 1)).toBe(curve);
      expect(sampledRenyi(curve, 0).at(9)).toBe(0);
      expect(sampledWithoutReplacementRenyi(curve, 9, 9)).toBe(curve);
      expect(sampledWithoutReplacementRenyi(curve, 9, 0).at(9)).toBe(0);
      expect(() => sampledRenyi(curve, 0).at(1)).toThrow(/order/);
      expect(() => sampledWithoutReplacementRenyi(curve, 9, 0).at(1)).toThrow(/order/);
      // Beyond the orders that are summed the bounds at any order stand.
      for (const sampled of [sampledRenyi(curve, 0.1), sampledWithoutReplacementRenyi(curve, 10, 1)]) {
        expect(sampled.at(2000)).toBeLessThanOrEqual(curve.at(2000));
        expect(sampled.at(2000)).toBeGreaterThanOrEqual(sampled.at(1000) * (1 - 1e-12));
      }
    }
  });
});

describe("chords", () => {
  it("meet the bounds at whole orders and lie straight between them, up to 1024", () => {
    const asked: number[] = [];
    const chord = chordOfIntegers((n) => {
      asked.push(n);
      return n > 6 ? n * n : Math.log(Math.expm1(n * n));
    });
    for (const order of [2, 3, 1024]) justAbove(chord(order), order ** 2 / (order - 1), 2e-10);
    justAbove(chord(2.25), (0.75 * 4 + 0.25 * 9) / 1.25);
    // At 1 nothing is lost.
    justAbove(chord(1.5), 4);
    expect(chord(1024.0001)).toBe(inf);
    chord(2.75);
    expect(asked.filter((n) => n === 2)).toHaveLength(1);
    expect(asked).not.toContain(1);
  });
});

describe("the least over orders", () => {
  it("is found to all digits wherever it lies", () => {
    for (const place of [1 + 1e-6, 1.01, 2, 47.3, 1e6, 1e9]) {
      const { value, order } = leastOverOrders((at) => 1 + (Math.log(at - 1) - Math.log(place - 1)) ** 2);
      expect(value).toBeGreaterThanOrEqual(1);
      expect(value).toBeLessThan(1 + 1e-12);
      expect((order - 1) / (place - 1)).toBeCloseTo(1, 5);
    }
  });
  it("is a value of the function, whatever is not a number or infinite beside it", () => {
    expect(leastOverOrders(() => inf)).toEqual({ value: inf, order: 2 });
    expect(leastOverOrders(() => Number.NaN)).toEqual({ value: inf, order: 2 });
    const partly = leastOverOrders((order) => (order < 5 ? Number.NaN : order > 100 ? inf : order));
    expect(partly.value).toBe(partly.order);
    expect(partly.value).toBeGreaterThanOrEqual(5);
    expect(partly.value).toBeLessThan(5 * Math.exp(0.5));
    const falling = leastOverOrders((order) => 1 / order);
    expect(falling.value).toBe(1 / falling.order);
    expect(falling.order).toBeGreaterThan(9e9);
  });
});
