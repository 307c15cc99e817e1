import { describe, expect, it } from "vitest";
import {
  mechanismContract,
  refuted,
  refutedRho,
} from "../../../../../testing/src/contracts/mechanism-contract.ts";
import { hockeyStick } from "../../../../../testing/src/contracts/mechanism-hockey-stick.ts";
import {
  discreteGaussianMass,
  roundedGaussianMass,
  shifted,
} from "../../../../../testing/src/contracts/mechanism-masses.ts";
import { releaseContract } from "../../../../../testing/src/contracts/mechanism-release-contract.ts";
import { account } from "../../account.ts";
import {
  deltaFromGaussian,
  epsilonFromGaussian,
} from "../../conversions/gaussian/gaussian-to-approximate.ts";
import {
  compare,
  divide,
  multiply,
  parseRational,
  type Rational,
  ratio,
  toDouble,
  zero,
} from "../../numeric/rational.ts";
import { ndtr } from "../../numeric/special/ndtr.ts";
import { discreteGaussian } from "./discrete-gaussian.ts";
import { gaussianFor } from "./gaussian-for.ts";
import { roundedGaussian } from "./rounded-gaussian.ts";

const rounded = (sigma: string, l2Squared: string) =>
  ({ kind: "rounded-gaussian", version: 1, sigma, l2Squared }) as const;
const discrete = (sigmaSquared: string, l2Squared: string) =>
  ({ kind: "discrete-gaussian", version: 1, sigmaSquared, l2Squared }) as const;
const roundedPair = (sigma: string, shift: bigint, reach = 40n) =>
  shifted(roundedGaussianMass(parseRational(sigma)), shift, reach);
const discretePair = (sigmaSquared: string, shift: bigint, reach = 45n) =>
  shifted(discreteGaussianMass(parseRational(sigmaSquared)), shift, reach);

mechanismContract("rounded Gaussian", {
  mechanism: roundedGaussian,
  proves: { pure: false, mixed: true, zcdp: true },
  cases: [
    { name: "σ = 2, Δ = 1", event: rounded("2", "1"), neighbours: [roundedPair("2", 1n)] },
    {
      name: "σ = 5/2, Δ = 3",
      event: rounded("5/2", "9"),
      neighbours: [roundedPair("5/2", 1n), roundedPair("5/2", 3n)],
    },
    { name: "σ = 1/2, Δ = 1", event: rounded("1/2", "1"), neighbours: [roundedPair("1/2", 1n, 10n)] },
  ],
  ladder: ["9", "2", "3/2", "1/4"].map((sigma) => rounded(sigma, "4")),
});
releaseContract("rounded Gaussian", { mechanism: "rounded-gaussian@1", sigma: "7/2" }, "rounded-gaussian");

mechanismContract("discrete Gaussian", {
  mechanism: discreteGaussian,
  proves: { pure: false, mixed: true, zcdp: true },
  cases: [
    { name: "σ² = 4, Δ = 1", event: discrete("4", "1"), neighbours: [discretePair("4", 1n)] },
    { name: "σ² = 4, Δ = 3", event: discrete("4", "9"), neighbours: [discretePair("4", 3n)] },
    { name: "σ² = 1, Δ = 1", event: discrete("1", "1"), neighbours: [discretePair("1", 1n, 25n)] },
  ],
  ladder: ["9", "2", "3/2", "1/4"].map((sigmaSquared) => discrete(sigmaSquared, "4")),
});
releaseContract(
  "discrete Gaussian",
  { mechanism: "discrete-gaussian@1", sigmaSquared: "9" },
  "discrete-gaussian",
);

describe("the price of Gaussian noise", () => {
  it("would be refuted for the discrete Gaussian at the continuous one's δ", () => {
    const claimed = deltaFromGaussian(ratio(1n), ratio(1n)); // 0.1269
    const neighbours = discretePair("1", 1n, 25n);
    expect(refuted(neighbours, ratio(1n), claimed)).toBe(true);
    // Direct sum from the oracle file, dgauss-delta-2.
    expect(toDouble(hockeyStick(neighbours, ratio(1n)).lo, "down")).toBeCloseTo(0.1413513394056, 12);
    expect(refuted(roundedPair("1", 1n, 30n), ratio(1n), claimed)).toBe(false);
  });

  it("is refuted when σ² is passed where σ is meant, or ρ is halved", () => {
    // σ = 2 priced as if it were 4.
    const asVariance = epsilonFromGaussian(ratio(1n, 16n), parseRational("1e-3"));
    expect(refuted(roundedPair("2", 1n), asVariance, parseRational("1e-3"))).toBe(true);
    expect(refutedRho(discretePair("4", 1n), ratio(1n, 16n))).toBe(true);
  });

  it("is nearly attained by the discrete Gaussian in zCDP", () => {
    expect(refutedRho(discretePair("4", 1n), multiply(ratio(1n, 8n), ratio(999n, 1000n)))).toBe(true);
  });
});

describe("gaussianFor", () => {
  const budgets = ["1", "0.1", "1/3", "7.25"].flatMap((epsilon) =>
    ["1e-5", "1e-10"].map((delta) => [parseRational(epsilon), parseRational(delta)] as const),
  );
  it.each(budgets)("never exceeds (%o, %o), and comes within 1e-9 of it", (epsilon, delta) => {
    for (const l2Squared of [1n, 2n, 12345678901n]) {
      const noise = gaussianFor({ l2Squared, epsilon, delta });
      if (noise.mechanism !== "rounded-gaussian@1") throw new Error("no noise");
      const { muSquared } = roundedGaussian.losses(rounded(noise.sigma, l2Squared.toString())).mixed!;
      const price = epsilonFromGaussian(muSquared, delta);
      expect(compare(price, epsilon)).toBeLessThanOrEqual(0);
      expect(toDouble(divide(price, epsilon), "up")).toBeGreaterThan(1 - 1e-9);
    }
  });

  it.each(["0.5", "1/3", "1e-6", "20"])("never exceeds ρ = %s, and comes within 1e-6 of it", (text) => {
    const rho: Rational = parseRational(text);
    for (const l2Squared of [1n, 3n, 10n ** 24n]) {
      const noise = gaussianFor({ l2Squared, rho });
      if (noise.mechanism !== "rounded-gaussian@1") throw new Error("no noise");
      const price = roundedGaussian.losses(rounded(noise.sigma, l2Squared.toString())).zcdp!.rho;
      expect(compare(price, rho)).toBeLessThanOrEqual(0);
      expect(toDouble(divide(price, rho), "up")).toBeGreaterThan(1 - 1e-6);
    }
  });

  it("writes a short σ where it is one", () => {
    expect(gaussianFor({ l2Squared: 1n, rho: ratio(1n, 2n) })).toEqual({
      mechanism: "rounded-gaussian@1",
      sigma: "1",
    });
  });
  it("needs no noise at sensitivity 0", () => {
    expect(gaussianFor({ l2Squared: 0n, rho: ratio(1n) })).toEqual({ mechanism: "constant@1" });
  });
  it("refuses what no finite σ can pay", () => {
    for (const rho of [zero, parseRational("1e-30"), parseRational("-1")]) {
      expect(() => gaussianFor({ l2Squared: 1n, rho })).toThrow(
        expect.objectContaining({ code: "parameter.invalid" }),
      );
    }
    expect(() => gaussianFor({ l2Squared: 1n, epsilon: ratio(1n), delta: zero })).toThrow(
      expect.objectContaining({ code: "parameter.invalid" }),
    );
  });
});

describe("noise that several parties draw", () => {
  /** The masses of the sum of independent integers, each from −reach to reach. */
  const convolved = (a: readonly number[], b: readonly number[]): number[] => {
    const sum = new Array<number>(a.length + b.length - 1).fill(0);
    for (const [i, p] of a.entries()) for (const [j, q] of b.entries()) sum[i + j]! += p * q;
    return sum;
  };
  const draw = (sigma: number): number[] =>
    Array.from({ length: 21 }, (_, i) => ndtr((10.5 - i) / sigma) - ndtr((9.5 - i) / sigma));
  const delta = (masses: readonly number[], epsilon: number): number =>
    masses.reduce((sum, p, z) => sum + Math.max(0, p - Math.exp(epsilon) * (masses[z - 1] ?? 0)), 0);

  it("is not one draw: sixteen that are rounded at σ/4 have δ(1/2) = .392, one at σ .238", () => {
    let sum = draw(1 / 4);
    for (let doubling = 0; doubling < 4; doubling++) sum = convolved(sum, sum);
    const together = delta(sum, 0.5);
    expect(together).toBeGreaterThan(0.39);
    expect(together).toBeLessThan(0.394);
    // The event is one draw: its price covers one, and says nothing of sixteen.
    const claimed = account(rounded("1", "1")).delta(0.5).upper;
    expect(delta(draw(1), 0.5)).toBeLessThanOrEqual(claimed);
    expect(claimed).toBeLessThan(0.239);
    // One party's own draw is what may be claimed of a sum whose other parts nobody vouches for.
    expect(account(rounded("1/4", "1")).delta(0.5).upper).toBeGreaterThan(together);
  });
});
