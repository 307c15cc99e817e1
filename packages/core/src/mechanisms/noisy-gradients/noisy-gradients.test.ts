import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { refuted } from "../../../../../testing/src/contracts/mechanism-contract.ts";
import { product } from "../../../../../testing/src/contracts/mechanism-hockey-stick.ts";
import { roundedGaussianMass, shifted } from "../../../../../testing/src/contracts/mechanism-masses.ts";
import { epsilonFromGaussian } from "../../conversions/gaussian/gaussian-to-approximate.ts";
import { SecureEntropy } from "../../entropy/secure-entropy.ts";
import { Exact, seal } from "../../exact/exact.ts";
import { compare, divide, multiply, parseRational, ratio } from "../../numeric/rational.ts";
import { SeededSource } from "../../tape.ts";
import { noiseEvent, noiseSampler } from "../registry.ts";
import { gaussianOf, gradientSensitivity, type UnitMove } from "./gradient-sensitivity.ts";
import { gradientReleaser } from "./release-gradients.ts";
import { trainingDraws, trainingDrawsFrom } from "./training-draws.ts";

const invalid = expect.objectContaining({ code: "parameter.invalid" });

/** All integer vectors of so many coordinates and norm at most `radius`. */
function ball(dimension: number, radius: number): number[][] {
  if (dimension === 0) return [[]];
  return ball(dimension - 1, radius).flatMap((rest) =>
    Array.from({ length: 2 * radius + 1 }, (_, i) => [...rest, i - radius]).filter(
      (v) => v.reduce((sum, x) => sum + x * x, 0) <= radius * radius,
    ),
  );
}

describe("the joint sensitivity", () => {
  // The same formula with a radius of 3 for 2^20: brute force reaches it, and nothing passes it.
  const radius = 3;
  const scaled = (layers: number, weight: number, move: UnitMove): number => {
    const { l2Squared } = gradientSensitivity({ parameters: layers, layers, countWeight: 0 }, move);
    return Number(l2Squared >> 40n) * radius ** 2 + weight ** 2;
  };
  it.each([
    [1, 0],
    [1, 2],
    [2, 0],
    [2, 5],
  ])("of %i layers and a count of weight %i is the largest that brute force finds", (layers, weight) => {
    const layer = ball(layers === 1 ? 2 : 1, radius);
    const vectors = layers === 1 ? layer : layer.flatMap((a) => layer.map((b) => [...a, ...b]));
    const units = vectors.flatMap((v) => [0, 1].map((count) => [...v, weight * count]));
    const most = (others: readonly number[][]): number => {
      let largest = 0;
      for (const u of units)
        for (const v of others)
          largest = Math.max(
            largest,
            u.reduce((sum, x, i) => sum + (x - v[i]!) ** 2, 0),
          );
      return largest;
    };
    expect(most([units[0]!.map(() => 0)])).toBe(scaled(layers, weight, "came-or-went"));
    expect(most(units)).toBe(scaled(layers, weight, "replaced"));
  });
  it("is exact in integers, the count beside the grid's radius", () => {
    const shape = { parameters: 26_010, layers: 3, countWeight: 7 };
    expect(gradientSensitivity(shape, "came-or-went").l2Squared).toBe(3n * 2n ** 40n + 49n);
    expect(gradientSensitivity(shape, "replaced").l2Squared).toBe(12n * 2n ** 40n + 49n);
    const { l1 } = gradientSensitivity({ parameters: 4, layers: 1, countWeight: 5 }, "came-or-went");
    expect(l1).toBe(2n ** 21n + 5n);
  });
  it("prices the count whole: at half of it the joint law refutes the claim", () => {
    // A unit moves a sum and a count by one each; σ 2.
    const each = shifted(roundedGaussianMass(ratio(2n)), 1n, 18n);
    const delta = parseRational("1e-3");
    const joint = product([each, each]);
    expect(refuted(joint, epsilonFromGaussian(ratio(2n, 4n), delta), delta)).toBe(false);
    expect(refuted(joint, epsilonFromGaussian(ratio(5n, 16n), delta), delta)).toBe(true);
  });
});

describe("the noise", () => {
  it("has σ = multiplier · √sensitivity², rounded up", () => {
    expect(gaussianOf(parseRational("1.1"), 1n << 40n)).toEqual({
      mechanism: "rounded-gaussian@1",
      sigma: "5767168/5",
    });
    fc.assert(
      fc.property(fc.bigInt(1n, 1n << 60n), fc.integer({ min: 1, max: 100 }), (l2Squared, tenths) => {
        const multiplier = ratio(BigInt(tenths), 10n);
        const { sigma } = gaussianOf(multiplier, l2Squared) as { sigma: string };
        const square = multiply(parseRational(sigma), parseRational(sigma));
        const least = multiply(multiply(multiplier, multiplier), ratio(l2Squared));
        expect(compare(square, least)).toBeGreaterThanOrEqual(0);
        expect(compare(divide(square, least), ratio((1n << 42n) + 1n, 1n << 42n))).toBeLessThanOrEqual(0);
      }),
      { seed: 3 },
    );
  });
  it.each(["0", "-1", (2n ** 27n).toString()])("refuses a multiplier of %s", (text) => {
    expect(() => gaussianOf(parseRational(text), 1n << 40n)).toThrow(invalid);
  });
});

describe("a release", () => {
  const noise = gaussianOf(ratio(1n), 1n << 40n);
  it("is the exact vector plus the priced noise on the same coins, count and all", () => {
    const sums = Float64Array.of(5, -7, 2 ** 40);
    const release = gradientReleaser(
      { parameters: 3, countWeight: 100, noise },
      trainingDrawsFrom(new SeededSource(3)),
    );
    const [coins, sampler] = [new SeededSource(3), noiseSampler(noise)];
    for (let step = 0; step < 3; step++) {
      const released = release(seal({ sums, unclipped: 9 }));
      const drawn = Array.from({ length: 4 }, () => Number(sampler.sample(coins)));
      expect([...released.sums]).toEqual([...sums].map((x, i) => x + drawn[i]!));
      expect(released.count).toBe(9 + drawn[3]! / 100);
    }
    expect([...sums]).toEqual([5, -7, 2 ** 40]);
    expect(noiseEvent(noise, { l1: 0n, l2Squared: 1n << 40n })).toEqual({
      kind: "rounded-gaussian",
      version: 1,
      sigma: "1048576",
      l2Squared: "1099511627776",
    });
  });
  it("of an empty batch draws as many words as one of any other, and is noise", () => {
    const words = (sums: Float64Array): number => {
      let count = 0;
      const source = new SeededSource(8);
      const bits = {
        word() {
          count += 1;
          return source.word();
        },
      };
      gradientReleaser(
        { parameters: 50, countWeight: 0, noise },
        trainingDrawsFrom(bits),
      )(seal({ sums, unclipped: 0 }));
      return count;
    };
    expect(words(new Float64Array(50))).toBe(words(new Float64Array(50).fill(1234)));
  });
  it("neither throws nor loses integers on sums that no clipped vector has", () => {
    const wild = Float64Array.of(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e300);
    const release = gradientReleaser(
      { parameters: 4, countWeight: 0, noise },
      trainingDrawsFrom(new SeededSource(1)),
    );
    const { sums } = release(seal({ sums: wild, unclipped: 0 }));
    for (const x of sums) expect(Number.isSafeInteger(x)).toBe(true);
    expect(sums[1]).toBeGreaterThan(2 ** 52 - 2 ** 26);
    expect(Math.abs(sums[0]!)).toBeLessThan(2 ** 26);
  });
  it("opens nothing but what was sealed, and is drawn from secure coins", () => {
    const draws = trainingDraws(new SecureEntropy(globalThis.crypto));
    const release = gradientReleaser({ parameters: 1, countWeight: 0, noise }, draws);
    expect(() => release(new Exact())).toThrow(TypeError);
    expect(release(seal({ sums: Float64Array.of(1), unclipped: 1 })).sums.length).toBe(1);
    expect(draws.poisson("1/2", 3)(1000).length).toBe(3);
    expect(Math.max(...draws.bins(4)(1000))).toBe(3);
  });
  it.each([
    { parameters: 0, countWeight: 0, noise },
    { parameters: 2 ** 23 + 1, countWeight: 0, noise },
    { parameters: 3, countWeight: -1, noise },
    { parameters: 3, countWeight: 0.5, noise },
  ])("refuses %o", (program) => {
    expect(() => gradientReleaser(program, trainingDrawsFrom(new SeededSource(1)))).toThrow(invalid);
  });
  it.each([
    [{ parameters: 3, layers: 4, countWeight: 0 }, "came-or-went"],
    [{ parameters: 3, layers: 0, countWeight: 0 }, "came-or-went"],
    [{ parameters: 3, layers: 1, countWeight: Number.NaN }, "came-or-went"],
    [{ parameters: 3, layers: 1, countWeight: 0 }, "moved"],
  ] as const)("has no sensitivity of %o %s", (shape, move) => {
    expect(() => gradientSensitivity(shape, move as UnitMove)).toThrow(invalid);
  });
});
