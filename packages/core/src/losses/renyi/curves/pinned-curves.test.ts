import { describe, expect, it } from "vitest";
import { ratio } from "../../../numeric/rational.ts";
import { boundedRangeRenyi } from "./bounded-range-renyi.ts";
import { composeRenyi } from "./compose-renyi.ts";
import { finitePairRenyi } from "./finite-pair-renyi.ts";
import { gaussianRenyi } from "./gaussian-renyi.ts";
import { groupRenyi } from "./group-renyi.ts";
import { laplaceKullbackLeibler, laplaceRenyi } from "./laplace-renyi.ts";
import { mixedRenyi } from "./mixed-renyi.ts";
import { pureKullbackLeibler, pureRenyi } from "./pure-renyi.ts";
import { checkFiniteLoss, checkOrder, type RenyiCurve } from "./renyi-curve.ts";
import { poissonRepeatedRenyi, repeatedRenyi } from "./repeated-renyi.ts";
import { sampledGaussianRenyi } from "./sampled-gaussian-renyi.ts";
import { sampledRenyi } from "./sampled-renyi.ts";
import { sampledWithoutReplacementRenyi } from "./sampled-without-replacement-renyi.ts";
import { zcdpRenyi } from "./zcdp-renyi.ts";

/* Values to ten digits, and both ends of what each curve is made of. */

const invalid = expect.objectContaining({ code: "parameter.invalid" });
const digits = (x: number): number => Number(x.toPrecision(10));
const [inf, nan, tiny, eps] = [Number.POSITIVE_INFINITY, Number.NaN, Number.MIN_VALUE, 2 ** -52];
const quarter = gaussianRenyi(0.25);
const [low, high] = [ratio(1n, 4n), ratio(3n, 4n)];
const half = ratio(1n, 2n);

it.each<readonly [string, RenyiCurve, number, number, number]>([
  ["bounded range 1", boundedRangeRenyi(1), 0.1831125387, 0.2402290139, 0.6354593986],
  ["Gaussian, αμ²/2", quarter, 0.1875, 0.25, 1],
  ["Laplace, ε 1", laplaceRenyi(1), 0.5128835113, 0.61912363, 0.9101988012],
  ["pure, ε 1", pureRenyi(1), 0.6273326471, 0.7353256641, 0.9552483741],
  ["zCDP, αρ", zcdpRenyi(0.25), 0.375, 0.5, 2],
  ["tCDP up to its end", zcdpRenyi(0.25, 4), 0.375, 0.5, inf],
  ["a group of two Gaussians", groupRenyi(quarter, 2n), 0.75, 1, 4],
  [
    "a mixture",
    mixedRenyi([
      { weight: 0.25, curve: quarter },
      { weight: 0.75, curve: pureRenyi(0.1) },
    ]),
    0.05402997424,
    0.07558287547,
    0.8024623956,
  ],
  [
    "a composition",
    composeRenyi([
      { curve: quarter, count: 3n },
      { curve: pureRenyi(0.5), count: 2n },
    ]),
    0.9192388134,
    1.204672588,
    3.864707414,
  ],
  ["the best of many", repeatedRenyi(quarter, 1, 0.1), 6.688636212, 4.448551119, 3.224906754],
  ["a sampled Gaussian", sampledGaussianRenyi(1, 0.1), 0.0117345922, 0.01703686324, 1.378361411],
  ["any sampled", sampledRenyi(pureRenyi(1), 0.1), 0.007993441841, 0.01080304906, 0.04702677496],
  [
    "a sample of a fixed size",
    sampledWithoutReplacementRenyi(quarter, 100, 10),
    0.01129696499,
    0.01129696499,
    0.05269026353,
  ],
  ["a finite pair", finitePairRenyi([low, high], [half, half]), 0.2183456083, 0.2876820725, 0.5941914609],
])("%s at orders 1.5, 2 and 8", (_, curve, ...due) => {
  // What is searched for is the same to fewer digits on every platform.
  for (const [at, order] of [1.5, 2, 8].entries()) {
    const found = curve.at(order);
    if (due[at] === inf) expect(found).toBe(inf);
    else expect(found / due[at]!).toBeCloseTo(1, 8);
  }
});

it("of Kullback and Leibler: e^(−ε) − 1 + ε, and ε·tanh(ε/2)", () => {
  expect(digits(laplaceKullbackLeibler(1))).toBe(digits(Math.exp(-1)));
  expect(digits(pureKullbackLeibler(1))).toBe(digits(Math.tanh(0.5)));
});

describe("both ends", () => {
  const taken = (...made: readonly (() => unknown)[]): void => {
    for (const make of made) expect(make, String(make)).not.toThrow();
  };
  const refused = (...made: readonly (() => unknown)[]): void => {
    for (const make of made) expect(make, String(make)).toThrow(invalid);
  };

  it("of an order: above 1, finite, at every curve", () => {
    expect([1 + eps, 2, Number.MAX_VALUE].map(checkOrder)).toEqual([1 + eps, 2, Number.MAX_VALUE]);
    const curves = [
      ...[
        quarter,
        laplaceRenyi(1),
        pureRenyi(1),
        boundedRangeRenyi(1),
        zcdpRenyi(1),
        sampledRenyi(quarter, 0.5),
      ],
      ...[
        repeatedRenyi(quarter, 1, 0.5),
        groupRenyi(quarter, 3n),
        finitePairRenyi([low, high], [half, half]),
      ],
      ...[sampledGaussianRenyi(1, 0.5), poissonRepeatedRenyi(quarter, 2, () => 0)],
    ];
    for (const order of [1, 0, -1, nan, inf]) {
      refused(() => checkOrder(order));
      for (const curve of curves) expect(() => curve.at(order), curve.id).toThrow(invalid);
    }
  });

  it("of a loss: from 0, finite", () => {
    for (const x of [0, tiny, 1e300]) expect(checkFiniteLoss("x", x)).toBe(x);
    for (const x of [-tiny, nan, inf])
      refused(
        () => checkFiniteLoss("x", x),
        () => gaussianRenyi(x),
        () => laplaceRenyi(x),
        () => pureRenyi(x),
        () => boundedRangeRenyi(x),
        () => zcdpRenyi(x),
        () => sampledGaussianRenyi(x, 0.5),
      );
  });

  it("of what is done with curves", () => {
    taken(
      () => zcdpRenyi(1, 1 + eps),
      () => composeRenyi([{ curve: quarter, count: 0n }]),
      () => groupRenyi(quarter, 1n),
      () => repeatedRenyi(quarter, -1 + eps, 1 - eps),
      () => poissonRepeatedRenyi(quarter, tiny, () => 0),
      () => mixedRenyi([{ weight: 1, curve: quarter }]),
    );
    for (const rate of [0, 1])
      taken(
        () => sampledGaussianRenyi(1, rate),
        () => sampledRenyi(quarter, rate),
      );
    for (const rate of [-tiny, 1 + eps, nan])
      refused(
        () => sampledGaussianRenyi(1, rate),
        () => sampledRenyi(quarter, rate),
      );
    for (const [n, k] of [
      [1, 0],
      [1, 1],
      [5, 5],
    ] as const)
      taken(() => sampledWithoutReplacementRenyi(quarter, n, k));
    for (const [n, k] of [
      [0, 0],
      [5, 6],
      [5, -1],
      [5.5, 1],
      [5, 1.5],
      [nan, 1],
      [5, nan],
    ] as const)
      refused(() => sampledWithoutReplacementRenyi(quarter, n, k));
    for (const omega of [1, 0, -1, nan]) refused(() => zcdpRenyi(1, omega));
    for (const shape of [-1, -2, inf, nan]) refused(() => repeatedRenyi(quarter, shape, 0.5));
    for (const stop of [0, 1, -0.5, nan]) refused(() => repeatedRenyi(quarter, 1, stop));
    for (const mean of [0, -1, inf, nan]) refused(() => poissonRepeatedRenyi(quarter, mean, () => 0));
    refused(
      () => composeRenyi([{ curve: quarter, count: -1n }]),
      () => groupRenyi(quarter, 0n),
      () => mixedRenyi([]),
      () => mixedRenyi([{ weight: 0.5, curve: quarter }]),
      () => mixedRenyi([{ weight: 1 + 2e-9, curve: quarter }]),
      () =>
        mixedRenyi([
          { weight: 2, curve: quarter },
          { weight: -1, curve: quarter },
        ]),
      () => finitePairRenyi([], []),
      () => finitePairRenyi([low, high], [half]),
      () => finitePairRenyi([low, low], [half, half]),
      () => finitePairRenyi([ratio(-1n, 4n), ratio(5n, 4n)], [half, half]),
    );
  });
});
