import { leastTrue } from "../../conversions/search/search.ts";
import type { BitSource } from "../../entropy/bit-source.ts";
import { invalidParameter } from "../../errors/lethe-error.ts";
import type { EventOf } from "../../events/event.ts";
import {
  add,
  compare,
  divide,
  multiply,
  one,
  parseRational,
  type Rational,
  ratio,
  subtract,
  toDouble,
  toText,
  zero,
} from "../../numeric/rational.ts";
import { discreteLaplace } from "../../samplers/index.ts";
import { checkPositive } from "../../samplers/parameters.ts";
import {
  deltaText,
  laplaceErrorBound,
  laplaceErrorBoundAbove,
  laplaceTail,
} from "../geometric/laplace-error-bound.ts";

/** A proposed bound, its test and its release. Plain public data; rationals are exact texts. */
export interface ProposeTestReleaseSetting {
  /** B: between neighbours the value moves by at most B, it is proposed; ≥ 0 (grid units). 0 releases the value itself. */
  readonly bound: bigint;
  /** ε₁: what the noise on the distance costs. */
  readonly testEpsilon: string;
  /** ε₂: what the noise on the value costs; "0" exactly where the bound is 0. */
  readonly releaseEpsilon: string;
  /** The test passes where distance + noise ≥ threshold; ≥ 1. */
  readonly threshold: bigint;
}

/** The value of the data, and their distance from data whose value could move too far. */
export interface ProposedValue {
  readonly value: bigint;
  /**
   * The number of units that must change before the data have a neighbour whose value differs by more than the bound: 0 where they have
   * one. It must move by at most 1 between neighbours, and must be 0 on two neighbours whose values differ by more than the bound.
   */
  readonly distance: bigint;
}

/** The answer: either the noisy value, or the fact that the test failed. Either is released. */
export type ProposeTestReleaseAnswer =
  | { readonly released: true; readonly value: bigint }
  | { readonly released: false };

/** The two noises; each call is a fresh, independent draw. */
export interface ProposeTestReleaseNoise {
  test(): bigint;
  /** The noise of the value; null where the bound is 0. */
  readonly release: (() => bigint) | null;
}

interface Checked {
  readonly test: Rational;
  readonly release: Rational;
}

function checked(setting: ProposeTestReleaseSetting): Checked {
  const { bound, threshold } = setting;
  if (!(typeof bound === "bigint" && bound >= 0n)) throw invalidParameter("bound", bound, "an integer ≥ 0");
  if (!(typeof threshold === "bigint" && threshold >= 1n)) {
    throw invalidParameter("threshold", threshold, "an integer ≥ 1");
  }
  const test = parseRational(setting.testEpsilon, "testEpsilon");
  checkPositive("testEpsilon", test);
  const release = parseRational(setting.releaseEpsilon, "releaseEpsilon");
  if (bound > 0n) checkPositive("releaseEpsilon", release);
  else if (release.num !== 0n)
    throw invalidParameter("releaseEpsilon", setting.releaseEpsilon, "0 at bound 0");
  return { test, release };
}

/**
 * The least threshold at (ε, δ): `testShare` of ε (1/2 unless stated) tests, the rest releases; all of it tests where the bound is 0.
 * Errors: parameter.invalid unless ε > 0, 0 < δ < 1, bound ≥ 0, 0 < testShare < 1.
 * @example proposeTestReleaseFor({ bound: 5n, epsilon: one, delta: parseRational("1e-6") }).threshold // => 27n
 */
export function proposeTestReleaseFor(request: {
  readonly bound: bigint;
  readonly epsilon: Rational;
  readonly delta: Rational;
  readonly testShare?: Rational;
}): ProposeTestReleaseSetting {
  const { bound, epsilon, delta, testShare = ratio(1n, 2n) } = request;
  checkPositive("epsilon", epsilon);
  if (!(compare(delta, zero) > 0 && compare(delta, one) < 0)) {
    throw invalidParameter("delta", toText(delta), "above 0 and below 1");
  }
  if (!(compare(testShare, zero) > 0 && compare(testShare, one) < 0)) {
    throw invalidParameter("testShare", toText(testShare), "above 0 and below 1");
  }
  const test = bound === 0n ? epsilon : multiply(epsilon, testShare);
  const scale = divide(one, test);
  const guess = -toDouble(scale, "up") * Math.log(toDouble(delta, "down"));
  const start = guess < 2 ** 60 ? BigInt(Math.floor(guess)) : 1n << 60n;
  const before = leastTrue(start, (k) => compare(laplaceTail(scale, k + 1n), delta) <= 0);
  const setting = {
    bound,
    testEpsilon: toText(test),
    releaseEpsilon: toText(subtract(epsilon, test)),
    threshold: before + 1n,
  };
  checked(setting);
  return setting;
}

/**
 * Returns the event of the mechanism, whether the test passes or fails: (ε₁ + ε₂, P[Z ≥ threshold])-DP, Z the noise of the test. δ is rounded up at a relative 2^−60.
 * Source: Dwork & Lei 2009, Sec. 3; with integer noise and its exact tail, ./propose-test-release.proof.md.
 * Direction: upper.
 * Errors: parameter.invalid.
 */
export function proposeTestReleaseEvent(setting: ProposeTestReleaseSetting): EventOf<"approximate"> {
  const { test, release } = checked(setting);
  return {
    kind: "approximate",
    version: 1,
    epsilon: toText(add(test, release)),
    delta: deltaText(laplaceTail(divide(one, test), setting.threshold)),
    of: "propose-test-release",
  };
}

/**
 * Tests, with noise, whether the data are far from any whose value could move by more than the proposed bound, and releases the
 * value with noise for that bound if so. Proof: ./propose-test-release.proof.md
 * Errors: parameter.invalid, of the setting alone.
 */
export function proposeTestRelease(
  setting: ProposeTestReleaseSetting,
  proposed: ProposedValue,
  bits: BitSource,
): ProposeTestReleaseAnswer {
  const { test, release } = checked(setting);
  const testNoise = discreteLaplace(divide(one, test));
  const releaseNoise = setting.bound > 0n ? discreteLaplace(divide(ratio(setting.bound), release)) : null;
  return proposeTestReleaseWith(setting.threshold, proposed, {
    test: () => testNoise.sample(bits),
    release: releaseNoise && (() => releaseNoise.sample(bits)),
  });
}

/** The same from given draws: what the tests enumerate. */
export function proposeTestReleaseWith(
  threshold: bigint,
  { value, distance }: ProposedValue,
  noise: ProposeTestReleaseNoise,
): ProposeTestReleaseAnswer {
  const passes = distance + noise.test() >= threshold;
  // Drawn whether it passes or not: the coins tell no more than the answer.
  const noisy = value + (noise.release ? noise.release() : 0n);
  return passes ? { released: true, value: noisy } : { released: false };
}

/**
 * r such that a released value is within r of the true one with probability ≥ 1 − beta.
 * Source: Dwork & Roth 2014, Fact 3.7, from the mass function that is drawn.
 * Direction: exact.
 * Errors: parameter.invalid unless 0 < beta < 1.
 */
export function proposeTestReleaseErrorBound(setting: ProposeTestReleaseSetting, beta: Rational): bigint {
  const { release } = checked(setting);
  return setting.bound === 0n ? 0n : laplaceErrorBound(divide(ratio(setting.bound), release), beta);
}

/**
 * The least distance at which the test passes with probability ≥ 1 − beta.
 * Source: the tail of the discrete Laplace law.
 * Direction: exact.
 * Errors: parameter.invalid unless 0 < beta < 1.
 */
export function releasedFrom(setting: ProposeTestReleaseSetting, beta: Rational): bigint {
  return setting.threshold + laplaceErrorBoundAbove(divide(one, checked(setting).test), beta);
}
