import { parseRational, type Rational, ratio } from "@lethe/core";
import type { SelectionRule } from "@lethe/core/accounting";
import { divide, expBracket, negate, normalTailBracket, zero } from "@lethe/core/numeric";
import {
  certain,
  complement,
  enclosed,
  minus,
  nothing,
  plus,
  smaller,
  times,
} from "../../verify/enclosures.ts";
import { type Enclosure, exactly } from "../../verify/hockey-stick.ts";
import type { Masses } from "./law.ts";
import { laplaceAtLeast } from "./noise-laws.ts";

/** Returns the chance that a group of this many units is kept, from each rule's own statement. */
export function keptLaw(rule: SelectionRule, units: bigint): Masses {
  const kept = units === 0n ? nothing : chanceOf(rule, units);
  return new Map([
    ["true", kept],
    ["false", complement(kept)],
  ]);
}

function chanceOf(rule: SelectionRule, units: bigint): Enclosure {
  switch (rule.rule) {
    case "laplace-threshold":
      return laplaceAtLeast(parseRational(rule.scale), BigInt(rule.threshold) - units);
    case "gaussian-threshold": {
      const sigma = parseRational(rule.sigma);
      const half = ratio(2n * (BigInt(rule.threshold) - units) - 1n, 2n);
      const { lo, hi } = normalTailBracket(divide(half, sigma), 220);
      return enclosed(lo, hi);
    }
    case "truncated-geometric":
      return optimal(parseRational(rule.epsilon), parseRational(rule.delta), units);
  }
}

/** A bound on what the rule's probabilities lose by being multiples of 2^−64 and rounded down, over this few steps. */
const rounding = ratio(1n, 1n << 50n);

/** π(0) = 0, π(n+1) = min(e^ε·π(n) + δ, 1 − e^(−ε)·(1 − π(n) − δ), 1): Desfontaines et al. 2022, Thm 1. */
function optimal(epsilon: Rational, delta: Rational, units: bigint): Enclosure {
  const [growth, decay] = [expBracket(epsilon, 220), expBracket(negate(epsilon), 220)];
  let kept = nothing;
  for (let n = 0n; n < units; n += 1n) {
    const rising = plus(times(growth, kept), exactly(delta));
    const falling = complement(times(decay, minus(complement(kept), exactly(delta))));
    kept = smaller(smaller(rising, falling), certain);
  }
  return minus(kept, { lo: zero, hi: rounding });
}
