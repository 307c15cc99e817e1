import { describe, expect, test } from "vitest";
import { type Bracket, expBracket, normalTailBracket } from "../numeric/bracket.ts";
import {
  add,
  compare,
  divide,
  multiply,
  negate,
  one,
  parseRational,
  type Rational,
  ratio,
  subtract,
  toDouble,
  zero,
} from "../numeric/rational.ts";
import { enumerateCoins, enumerateTapes } from "../tape.ts";
import { bernoulli } from "./bernoulli.ts";
import { bernoulliExp } from "./bernoulli-exp.ts";
import { proposalScale, rejectionExponent } from "./discrete-gaussian.ts";
import { discreteLaplaceOracle } from "./discrete-laplace.oracle.ts";
import { LazyUniform } from "./lazy-uniform.ts";
import { roundedGaussianOracle } from "./rounded-gaussian.oracle.ts";
import type { OracleCoins } from "./scaled-decay.oracle.ts";
import { uniformBelow } from "./uniform-below.ts";

const again = "another proposal";
class AnotherProposal extends Error {}

interface Law {
  readonly law: ReadonlyMap<bigint, Bracket>;
  /** The mass that an outcome which did not occur may still have. */
  readonly rest: Bracket;
}

/**
 * The masses of one proposal of an oracle, by enumeration of its coins one bit at a time. Proposals are independent, so
 * P[z] = mass(z)/(1 − mass(again)); undecided coins widen the brackets.
 */
function enumeratedLaw(oracle: (coins: OracleCoins) => bigint, depth: number): Law {
  const { masses, residual } = enumerateCoins<bigint | string>((coins) => {
    let begun = false;
    let acceptance = new LazyUniform();
    let last: LazyUniform | null = null;
    try {
      return oracle({
        begin(weights) {
          if (begun) throw new AnotherProposal();
          begun = true;
          acceptance = new LazyUniform();
          return { negative: coins.bit() === 1, cell: coins.choose(weights), acceptance };
        },
        zeros() {
          let zeros = 0;
          while (coins.bit() === 0) zeros++;
          return zeros;
        },
        uniform: () => new LazyUniform(),
        refine(uniform) {
          // The order of refinement does not change the outcome. The curve is flat in a cell: acceptance bits tell more.
          const instead =
            uniform !== acceptance && last === acceptance && acceptance.length < uniform.length + 4;
          (instead ? acceptance : uniform).append(coins.bit(), 1);
          last = uniform;
        },
      });
    } catch (error) {
      if (error instanceof AnotherProposal) return again;
      throw error;
    }
  }, depth);
  const decided = subtract(one, masses.get(again) ?? zero);
  const law = new Map<bigint, Bracket>();
  for (const [z, mass] of masses) {
    if (typeof z === "bigint")
      law.set(z, { lo: divide(mass, decided), hi: divide(add(mass, residual), subtract(decided, residual)) });
  }
  return { law, rest: { lo: zero, hi: divide(residual, subtract(decided, residual)) } };
}

function expectLaw({ law, rest }: Law, mass: (z: bigint) => Bracket, reach: bigint): void {
  for (let z = -reach; z <= reach; z++) {
    const [found, due] = [law.get(z) ?? rest, mass(z)];
    expect(compare(found.lo, due.hi), `P[${z}] is not below`).toBeLessThanOrEqual(0);
    expect(compare(found.hi, due.lo), `P[${z}] is not above`).toBeGreaterThanOrEqual(0);
  }
}

/** P[Z = z] = (1−a)/(1+a)·a^|z|, a = e^{−1/scale}. */
function laplaceMass(scale: Rational): (z: bigint) => Bracket {
  const a = expBracket(negate(divide(one, scale)), 120);
  return (z) => {
    const power = expBracket(negate(divide(ratio(z < 0n ? -z : z), scale)), 120);
    return {
      lo: multiply(power.lo, divide(subtract(one, a.hi), add(one, a.hi))),
      hi: multiply(power.hi, divide(subtract(one, a.lo), add(one, a.lo))),
    };
  };
}

/** P[Z = z] = Q((z−½)/σ) − Q((z+½)/σ). */
function gaussianMass(sigma: Rational): (z: bigint) => Bracket {
  return (z) => {
    const [left, right] = [2n * z - 1n, 2n * z + 1n].map((n) =>
      normalTailBracket(divide(ratio(n, 2n), sigma), 120),
    ) as [Bracket, Bracket];
    return { lo: subtract(left.lo, right.hi), hi: subtract(left.hi, right.lo) };
  };
}

describe("enumeration of every coin, residual carried", () => {
  const depth = 17;
  test.each(["1/3", "1", "3/2"])("discrete Laplace of scale %s has its mass function", (text) => {
    const scale = parseRational(text);
    const law = enumeratedLaw((coins) => discreteLaplaceOracle(scale, coins), depth);
    expect(toDouble(law.rest.hi, "up")).toBeLessThan(0.03);
    expectLaw(law, laplaceMass(scale), 3n);
    // The brackets are narrow enough to refute a scale that is 10 % off.
    for (const factor of ["9/10", "11/10"]) {
      expect(() => expectLaw(law, laplaceMass(multiply(scale, parseRational(factor))), 3n)).toThrow();
    }
  });
  test.each(["1/3", "1", "7/4"])("rounded Gaussian of σ %s has its mass function", (text) => {
    const sigma = parseRational(text);
    const law = enumeratedLaw((coins) => roundedGaussianOracle(sigma, coins), depth);
    expect(toDouble(law.rest.hi, "up")).toBeLessThan(0.03);
    expectLaw(law, gaussianMass(sigma), 3n);
    for (const factor of ["9/10", "11/10"]) {
      expect(() => expectLaw(law, gaussianMass(multiply(sigma, parseRational(factor))), 3n)).toThrow();
    }
  });
});

describe("discrete Gaussian: proposal mass × acceptance ∝ e^{−z²/(2σ²)}", () => {
  test.each(["1/100", "1/3", "1", "12", "4000"])("σ² = %s", (text) => {
    const sigmaSquared = parseRational(text);
    const proposal = laplaceMass(ratio(proposalScale(sigmaSquared)));
    const weight = (z: bigint): Bracket => {
      const accepted = expBracket(negate(rejectionExponent(z, sigmaSquared)), 300);
      return { lo: multiply(proposal(z).lo, accepted.lo), hi: multiply(proposal(z).hi, accepted.hi) };
    };
    const centre = weight(0n);
    for (let z = 0n; z <= 8n; z++) {
      expect(rejectionExponent(z, sigmaSquared).num >= 0n).toBe(true);
      const due = expBracket(negate(divide(ratio(z * z, 2n), sigmaSquared)), 300);
      expect(compare(weight(z).lo, multiply(due.hi, centre.hi))).toBeLessThanOrEqual(0);
      expect(compare(weight(z).hi, multiply(due.lo, centre.lo))).toBeGreaterThanOrEqual(0);
    }
  });
});

describe("enumeration of every word", () => {
  test("bernoulliExp is true with probability e^{−γ}, to 2^−60", () => {
    for (const text of ["0", "1/1000", "1/2", "1", "7/3", "30"]) {
      const gamma = parseRational(text);
      const { masses, residual } = enumerateTapes((bits) => bernoulliExp(gamma, bits), { depth: 2 });
      const due = expBracket(negate(gamma), 100);
      const yes = masses.get(true) ?? zero;
      expect(compare(residual, ratio(1n, 1n << 60n))).toBeLessThan(0);
      expect(compare(yes, due.hi)).toBeLessThanOrEqual(0);
      expect(compare(add(yes, residual), due.lo)).toBeGreaterThanOrEqual(0);
    }
  });
  test("uniformBelow is uniform", () => {
    for (const n of [1n, 2n, 3n, 6n, 10n]) {
      // The value is cut from the low bits of a word: fold them to the top, so that equal outcomes are contiguous.
      const length = (n - 1n).toString(2).length;
      const { masses, residual } = enumerateTapes(
        (bits) => uniformBelow(n, { word: () => bits.word() >>> (32 - length) }),
        { depth: 1 },
      );
      const each = divide(subtract(one, residual), ratio(n));
      expect(masses.size).toBe(Number(n));
      for (const mass of masses.values()) expect(mass).toEqual(each);
      expect(compare(residual, ratio(1n, 2n))).toBeLessThan(0);
    }
  });
  test("uniformBelow beyond a word: every bit pattern below n, and only those", () => {
    const n = (1n << 40n) + 5n;
    const words = (value: bigint, junk: bigint): { word(): number } => {
      const list = [Number((value >> 32n) | (junk << 9n)), Number(value & 0xffffffffn), 0, 7];
      return { word: () => list.shift()! };
    };
    for (const value of [0n, 1n, 0xffffffffn, 1n << 40n, n - 1n])
      expect(uniformBelow(n, words(value, 3n))).toBe(value);
    expect(uniformBelow(n, words(n, 3n))).toBe(7n); // refused, drawn again
    expect(() => uniformBelow(0n, words(0n, 0n))).toThrow(/n must be/);
  });
  test("bernoulli is true with probability p among decided tapes", () => {
    const p = ratio(3n, 10n);
    const { masses, residual } = enumerateTapes((bits) => bernoulli(p, { word: () => bits.word() >>> 28 }), {
      depth: 1,
    });
    expect(divide(masses.get(true)!, subtract(one, residual))).toEqual(p);
    expect(() => bernoulli(ratio(3n, 2n), { word: () => 0 })).toThrow(/between 0 and 1/);
  });
});
