import { describe, expect, it } from "vitest";
import type { Noise } from "../../mechanisms/noise.ts";
import { parseRational, ratio } from "../../numeric/rational.ts";
import { laplace, rounded } from "../testing/simulated-noise.ts";
import { laplaceCombinationQuantile } from "./laplace-combination.ts";
import { noiseLaw } from "./noise-laws.ts";
import { addedQuantile, addedUp, mixedNoise, quantileOfAdded, scaleOfDraw } from "./noise-sum-law.ts";
import { quantileOfSum } from "./noise-sum-quantile.ts";
import { continuousQuantile, quantileOfDraws } from "./quantile-of-draws.ts";

const still: Noise = { mechanism: "constant@1" };
const laplaceOf = (scale: number) => ({ family: "laplace", scale }) as const;
const gaussianOf = (scale: number) => ({ family: "gaussian", scale }) as const;
/** Φ⁻¹(0.975) and Φ⁻¹(0.9875). */
const [z, zHalf] = [1.959963984540054, 2.241402727604945];

describe("the quantile of continuous draws", () => {
  it("of normal laws is z times the root of all squares", () => {
    const terms = [
      { law: gaussianOf(3), draws: 4, weight: 2 },
      { law: gaussianOf(5), draws: 1, weight: 1 },
    ];
    const due = z * Math.sqrt(4 * 36 + 25);
    expect(continuousQuantile(terms, 0.05)).toBeGreaterThanOrEqual(due);
    expect(continuousQuantile(terms, 0.05)).toBeLessThan(due * (1 + 1e-8));
  });
  it("of one Laplace law is scale·ln(1/alpha), weighted", () => {
    const found = continuousQuantile([{ law: laplaceOf(7), draws: 1, weight: 3 }], 0.05);
    expect(found).toBeGreaterThanOrEqual(21 * Math.log(20));
    expect(found).toBeLessThan(21 * Math.log(20) * 1.0002);
  });
  it("of both parts is that of each at half of alpha, together", () => {
    const terms = [
      { law: laplaceOf(7), draws: 1, weight: 3 },
      { law: gaussianOf(3), draws: 4, weight: 2 },
    ];
    const due = 21 * Math.log(40) + zHalf * 12;
    expect(continuousQuantile(terms, 0.05)).toBeGreaterThanOrEqual(due);
    expect(continuousQuantile(terms, 0.05)).toBeLessThan(due * 1.0002);
  });
  it("of nothing is 0", () => expect(continuousQuantile([], 0.05)).toBe(0));
});

describe("the quantile of many draws", () => {
  const alpha = ratio(1n, 20n);

  it("of rounded normal noise leaves room for as much rounding as Hoeffding's bound, or as there is at all", () => {
    const law = noiseLaw(rounded(10));
    for (const [draws, weight] of [
      [1, 1],
      [3, 2],
      [1000, 1],
      [1000, 5],
    ] as const) {
      const found = quantileOfDraws([{ law, draws }], alpha)([weight]);
      const spread = (level: number): number => level * 10 * weight * Math.sqrt(draws);
      const all = spread(z) + 0.5 * weight * draws;
      // ln(2/(0.05/50)) = 7.6009, and Φ⁻¹(1 − 0.049/2) = 1.96859.
      const likely = spread(1.96859) + Math.sqrt(2 * draws * (weight / 2) ** 2 * Math.log(2000));
      expect(found / (draws < 10 ? all : likely)).toBeCloseTo(1, 3);
    }
  });
  it("of Laplace noise is at most the continuous one at half of alpha", () => {
    const law = noiseLaw(laplace(2));
    const found = quantileOfDraws([{ law, draws: 100 }], alpha)([1]);
    expect(found / laplaceCombinationQuantile([{ scale: 2, count: 100 }], 0.0125)).toBeLessThan(1.0001);
  });
  it("takes each weight for its size, and leaves out what does not count", () => {
    const quantile = quantileOfDraws(
      [
        { law: noiseLaw(rounded(10)), draws: 3 },
        { law: noiseLaw(laplace(4)), draws: 2 },
        { law: noiseLaw(still), draws: 9 },
      ],
      alpha,
    );
    expect(quantile([-1, 2, 50])).toBe(quantile([1, -2, 0]));
    expect(quantile([0, 0, 7])).toBe(0);
    expect(quantile([1, 0, 0])).toBeGreaterThan(0);
    expect(quantile([1, 2, 0])).toBeGreaterThan(quantile([1, 0, 0]));
  });
  it("is the sum of all quantiles, each at alpha over their number, where alpha is below what couplings may fail", () => {
    const [first, second] = [noiseLaw(laplace(3)), noiseLaw(rounded(2))];
    const tiny = parseRational("3e-9");
    const terms = [
      { law: first, draws: 2 },
      { law: second, draws: 3 },
    ];
    const each = parseRational("6e-10");
    const due = 2 * 5 * Number(first.quantile(each)) + 3 * 7 * Number(second.quantile(each));
    const found = quantileOfDraws(terms, tiny)([5, -7]);
    expect(found).toBeGreaterThanOrEqual(due);
    expect(found).toBeLessThan(due * (1 + 1e-9));
    // Of more noises than three also where none is drawn twice.
    const four = Array.from({ length: 4 }, () => first);
    const one = quantileOfSum(four, parseRational("4e-7"))([1, -2, 0, 3]);
    expect(one / (6 * Number(first.quantile(parseRational("1e-7"))))).toBeCloseTo(1, 9);
  });
});

describe("noise that is added up", () => {
  const alpha = ratio(1n, 20n);
  it("has the quantile of its kind: rounded and discrete Gaussians as one of a little more variance", () => {
    const due = (variance: number): bigint => BigInt(Math.ceil(z * Math.sqrt(variance) * (1 + 1e-9)));
    const pad = 1 / (2 * Math.PI);
    expect(addedQuantile({ draws: 400, of: rounded(3) }, alpha)).toBe(due(400 * (9 + pad)));
    expect(
      addedQuantile({ draws: 400, of: { mechanism: "discrete-gaussian@1", sigmaSquared: "9" } }, alpha),
    ).toBe(due(400 * (9 + pad)));
    const sums = [
      { draws: 100, of: rounded(3) },
      { draws: 7, of: rounded(40) },
    ];
    expect(addedQuantile(mixedNoise(sums), alpha)).toBe(due(100 * (9 + pad) + 7 * (1600 + pad)));
  });
  it("leaves out parts without noise, and has none where no part has", () => {
    const of = rounded(30);
    const sums = (draws: number) =>
      mixedNoise([
        { draws: 5, of: still },
        { draws, of },
      ]);
    expect(addedQuantile(sums(1), alpha)).toBe(noiseLaw(of).quantile(alpha));
    expect(addedQuantile(sums(4), alpha)).toBe(addedQuantile({ draws: 4, of }, alpha));
    expect(addedQuantile({ draws: 4, of: still }, alpha)).toBe(0n);
  });
  it("has the scale of its coarsest part, for one draw", () => {
    expect(scaleOfDraw(rounded(3))).toBe(3);
    expect(scaleOfDraw({ draws: 9, of: laplace(4) })).toBe(4);
    expect(
      scaleOfDraw(
        mixedNoise([
          { draws: 9, of: laplace(4) },
          { draws: 1, of: rounded(6) },
        ]),
      ),
    ).toBe(6);
    expect(scaleOfDraw(still)).toBe(0);
  });
  it("is one noise where it is drawn once, and refuses none", () => {
    const of = laplace(4);
    expect(addedUp(of, 1)).toBe(of);
    expect(addedUp(of, 2)).toEqual({ draws: 2, of });
    expect(mixedNoise([{ draws: 2, of }])).toEqual({ draws: 2, of });
    expect(mixedNoise([{ draws: 1, of }])).toBe(of);
    const invalid = expect.objectContaining({ code: "parameter.invalid" });
    expect(() => mixedNoise([])).toThrow(invalid);
    expect(() =>
      mixedNoise([
        { draws: 1, of },
        { draws: 0, of },
      ]),
    ).toThrow(invalid);
  });
  it("is weighted as its parts are, single draws by the finer law", () => {
    const weights = [1, -3];
    const single = quantileOfAdded([laplace(40), laplace(2)], alpha)(weights);
    expect(single).toBe(quantileOfSum([noiseLaw(laplace(40)), noiseLaw(laplace(2))], alpha)(weights));
    const twice = quantileOfAdded([{ draws: 2, of: laplace(40) }, laplace(2)], alpha)(weights);
    expect(twice).toBe(
      quantileOfDraws(
        [
          { law: noiseLaw(laplace(40)), draws: 2 },
          { law: noiseLaw(laplace(2)), draws: 1 },
        ],
        alpha,
      )(weights),
    );
    const mixed = mixedNoise([
      { draws: 2, of: laplace(40) },
      { draws: 1, of: laplace(9) },
    ]);
    expect(quantileOfAdded([mixed, laplace(2)], alpha)(weights)).toBe(
      quantileOfDraws(
        [
          { law: noiseLaw(laplace(40)), draws: 2 },
          { law: noiseLaw(laplace(9)), draws: 1 },
          { law: noiseLaw(laplace(2)), draws: 1 },
        ],
        alpha,
      )([1, 1, -3]),
    );
  });
});
