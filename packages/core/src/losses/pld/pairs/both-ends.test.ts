import { describe, expect, it } from "vitest";
import { ratio } from "../../../numeric/rational.ts";
import { exactFinitePair, finitePair } from "./finite-pair.ts";
import { gaussianPair } from "./gaussian-pair.ts";
import { integerNoisePair } from "./integer-noise-pair.ts";
import { laplacePair } from "./laplace-pair.ts";
import { mixedPair } from "./mixed-pair.ts";
import { profilePair } from "./profile-pair.ts";
import { sampledPair } from "./sampled-pair.ts";
import { twoPointPair } from "./two-point-pair.ts";

/* What each dominating pair is made of, at both ends and beyond. */

const invalid = expect.objectContaining({ code: "parameter.invalid" });
const [inf, nan, tiny, eps] = [Number.POSITIVE_INFINITY, Number.NaN, Number.MIN_VALUE, 2 ** -52];
const pair = gaussianPair(1);
const profile = (epsilon: number): number => Math.exp(-epsilon) / 2;
const [half, quarter] = [ratio(1n, 2n), ratio(1n, 4n)];

describe.each<readonly [string, (x: number) => unknown, readonly number[], readonly number[]]>([
  ["ε of Laplace noise", laplacePair, [0, 600], [-tiny, 600.1, nan, inf]],
  ["μ of a Gaussian", gaussianPair, [0, 1000], [-tiny, 1000.1, nan, inf]],
  ["ε of two points", (x) => twoPointPair(x, 0), [0, 600], [-tiny, 600.1, nan]],
  ["δ of two points", (x) => twoPointPair(1, x), [0, 1], [-tiny, 1 + eps, nan]],
  ["the rate of a sample", (x) => sampledPair(pair, x), [0, 0.5, 1], [-tiny, 1 + eps, nan]],
  [
    "what a sample leaves",
    (x) => sampledPair(pair, 0.5, x),
    [0.5, 0.5 + eps],
    [0.5 + 4 * eps, 0.4, 0, -0.5, nan],
  ],
  [
    "a weight",
    (x) =>
      mixedPair([
        { weight: x, pair },
        { weight: 1 - x, pair },
      ]),
    [0, 0.5, 1],
    [-0.1, 1.1, nan],
  ],
  ["all weights", (x) => mixedPair([{ weight: x, pair }]), [1, 1 - 5e-13], [0.9, 1 - 5e-12, 0]],
  [
    "the points of a profile",
    (x) => profilePair(profile, "p", { points: x }),
    [2, 100],
    [1, 0, 2.5, nan, 2 ** 20 + 1],
  ],
  ["the δ of a profile", (x) => profilePair(() => x, "p", { points: 10 }), [0, 1, 2], [-tiny, nan]],
  [
    "the shift of integers",
    (x) => integerNoisePair({ law: "discrete-laplace", scale: 2 }, x),
    [1, 1200],
    [0, -1, 1.5, 1201, nan],
  ],
  [
    "the scale of integers",
    (x) => integerNoisePair({ law: "discrete-laplace", scale: x }, 1),
    [0.0017, 5],
    [0, -1, inf, nan, 0.0016],
  ],
  [
    "the shift of Gaussian integers",
    (x) => integerNoisePair({ law: "discrete-gaussian", sigma: 2 }, x),
    [1, 40],
    [0, 1.5, 41, nan],
  ],
  [
    "the σ of rounded Gaussian integers",
    (x) => integerNoisePair({ law: "rounded-gaussian", sigma: x }, 1),
    [0.05, 2],
    [0, -1, 0.049, inf, nan, 20_000],
  ],
])("%s", (_, make, taken, refused) => {
  it("is taken up to its ends, and not beyond", () => {
    for (const x of taken) expect(() => make(x), `${x}`).not.toThrow();
    for (const x of refused) expect(() => make(x), `${x}`).toThrow(invalid);
  });
});

describe("a finite pair", () => {
  it("is of two laws of one length, whose chances are 0 or no smaller than 1e-290", () => {
    for (const [p, q] of [
      [[1], [1]],
      [
        [0, 1],
        [1, 0],
      ],
      [
        [1e-290, 1],
        [0.5, 0.5],
      ],
    ] as const)
      expect(() => finitePair(p, q), `${p} against ${q}`).not.toThrow();
    for (const [p, q] of [
      [[], []],
      [[1], [0.5, 0.5]],
      [
        [0.5, 0.4],
        [0.5, 0.5],
      ],
      [
        [0.5, 0.5],
        [0.5, 0.5 + 2e-12],
      ],
      [
        [1.5, -0.5],
        [0.5, 0.5],
      ],
      [
        [9e-291, 1],
        [0.5, 0.5],
      ],
      [[nan], [1]],
    ] as const)
      expect(() => finitePair(p, q), `${p} against ${q}`).toThrow(invalid);
  });
  it("in exact numbers sums to 1 exactly", () => {
    expect(() => exactFinitePair([half, half], [quarter, ratio(3n, 4n)])).not.toThrow();
    for (const [p, q] of [
      [[], []],
      [[half, half], [half]],
      [
        [half, quarter],
        [half, half],
      ],
      [
        [half, half],
        [half, ratio(10n ** 30n + 1n, 2n * 10n ** 30n)],
      ],
      [
        [ratio(3n, 2n), ratio(-1n, 2n)],
        [half, half],
      ],
    ] as const)
      expect(() => exactFinitePair(p, q)).toThrow(invalid);
  });
});
