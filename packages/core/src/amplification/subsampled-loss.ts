import { invalidParameter } from "../errors/lethe-error.ts";
import type { Adjacency } from "../losses/measures/adjacency.ts";
import { expBracket, lnBracket } from "../numeric/bracket.ts";
import {
  add,
  ceilTo,
  compare,
  divide,
  min,
  multiply,
  one,
  type Rational,
  ratio,
  subtract,
  zero,
} from "../numeric/rational.ts";
import { type ExactSamplingScheme, samplingRate, unprovenPairing } from "./exact-sampling-scheme.ts";

/** (ε, δ)-DP with exact numbers; δ = 0 is ε-DP. */
export interface ExactLoss {
  readonly epsilon: Rational;
  readonly delta: Rational;
}

/** ε is a multiple of this, rounded up. */
const grid = 1n << 40n;
/** A transcendental δ is a multiple of this, rounded up. */
const deltaGrid = 1n << 320n;
const bits = 64;

/**
 * Returns the loss of an (ε, δ)-DP mechanism on a sample, where q is the chance that a given unit is sampled:
 * - Poisson, add-or-remove-one: ε′ = ln(1 + q(e^ε − 1)), δ′ = qδ.
 * - Without replacement, replace-one: the same, q = sample/population. Here (ε, δ) is the mechanism's under replace-one.
 * - Poisson, replace-one: ε′ = ln(1 + q(e^ε − 1)) − ln(1 − q(1 − e^−ε)), δ′ = qδ(1 + e^(ε′−ε)). Here (ε, δ) is the
 *   mechanism's under add-or-remove-one. At q = 1 it is group privacy for two.
 * - Without replacement, add-or-remove-one: refused.
 * The ε is a multiple of 2^−40. Proof: ./subsampled-loss.proof.md
 * Source: Balle, Barthe & Gaboardi 2018 (arXiv 1807.01647), Thm 8 and 9 (C §3); Poisson with replace-one by its own proof.
 * Direction: upper.
 * Errors: parameter.invalid for ε < 0, δ outside [0, 1], a scheme outside its domain, a pairing without a proof.
 * @example subsampledLoss({ epsilon: one, delta: zero }, { kind: "poisson", rate: ratio(1n, 100n) }, "add-or-remove-one")
 * // => ε′ = 0.0170368…
 */
export function subsampledLoss(
  loss: ExactLoss,
  scheme: ExactSamplingScheme,
  adjacency: Adjacency,
): ExactLoss {
  checkLoss(loss);
  const rate = samplingRate(scheme);
  if (adjacency !== "add-or-remove-one" && adjacency !== "replace-one") {
    throw invalidParameter("adjacency", adjacency, "add-or-remove-one or replace-one");
  }
  if (scheme.kind === "without-replacement" && adjacency === "add-or-remove-one") {
    throw unprovenPairing(scheme.kind, adjacency);
  }
  if (rate.num === 0n) return { epsilon: zero, delta: zero };
  if (scheme.kind === "poisson" && adjacency === "replace-one") return replacedInPoisson(loss, rate);
  if (compare(rate, one) === 0) return loss;
  return {
    epsilon: min(loss.epsilon, ceilTo(grownBy(loss.epsilon, rate), grid)),
    delta: multiply(rate, loss.delta),
  };
}

function checkLoss({ epsilon, delta }: ExactLoss): void {
  if (!(compare(epsilon, zero) >= 0)) throw invalidParameter("epsilon", "negative", "≥ 0");
  if (!(compare(delta, zero) >= 0 && compare(delta, one) <= 0)) {
    throw invalidParameter("delta", "outside", "in [0, 1]");
  }
}

/** ln(1 + q(e^ε − 1)) rounded up, written ε + ln(1 − (1 − q)(1 − e^−ε)) so that no ε overflows. */
function grownBy(epsilon: Rational, rate: Rational): Rational {
  if (epsilon.num === 0n) return zero;
  const kept = expBracket(negated(epsilon), bits + bitsOf(rate)).hi;
  const left = add(rate, multiply(subtract(one, rate), kept));
  return add(epsilon, lnBracket(min(one, left), bits).hi);
}

/** −ln(1 − q(1 − e^−ε)) rounded up, and a lower bound of its argument. */
function shrunkBy(epsilon: Rational, rate: Rational): { readonly log: Rational; readonly rest: Rational } {
  const kept = expBracket(negated(epsilon), bits + bitsOf(epsilon)).lo;
  const rest = add(subtract(one, rate), multiply(rate, kept));
  // At q = 1 a lower bound of e^−ε may be 0; the exact exponent is known there.
  if (compare(rate, one) === 0) return { log: epsilon, rest };
  return { log: min(epsilon, lnBracket(divide(one, rest), bits).hi), rest };
}

function replacedInPoisson(loss: ExactLoss, rate: Rational): ExactLoss {
  const grown = min(loss.epsilon, grownBy(loss.epsilon, rate));
  const epsilon = ceilTo(add(grown, shrunkBy(loss.epsilon, rate).log), grid);
  if (loss.delta.num === 0n) return { epsilon, delta: zero };
  // e^(ε′−ε) with the rounded ε′ only overstates; beyond 2^10 the product says nothing below 1 for any δ worth stating.
  const gap = subtract(epsilon, loss.epsilon);
  if (compare(gap, ratio(1024n)) > 0) return { epsilon, delta: one };
  const factor = add(one, expBracket(gap, bits).hi);
  const delta = ceilTo(multiply(multiply(rate, loss.delta), factor), deltaGrid);
  return { epsilon, delta: min(one, delta) };
}

function negated(a: Rational): Rational {
  return { num: -a.num, den: a.den };
}

/** Bits below one that a rational's size asks for: |log2| of it, at most 4096. */
function bitsOf(a: Rational): number {
  const length = a.den.toString(16).length - a.num.toString(16).length;
  return Math.min(4096, 4 * Math.abs(length) + 8);
}
