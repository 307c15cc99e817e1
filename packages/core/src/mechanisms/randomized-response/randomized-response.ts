import type { BitSource } from "../../entropy/bit-source.ts";
import { invalidParameter } from "../../errors/lethe-error.ts";
import { addAt } from "../../numeric/elements/element-at.ts";
import { type RationalInput, rationalOf } from "../../numeric/exact-input.ts";
import {
  add,
  compare,
  divide,
  floorTo,
  multiply,
  one,
  parseRational,
  type Rational,
  ratio,
  subtract,
  toText,
} from "../../numeric/rational.ts";
import { bernoulli } from "../../samplers/bernoulli.ts";
import { uniformBelow } from "../../samplers/uniform-below.ts";
import { chanceFor, chargeable, checkOption, checkOptions } from "../local-frequencies/chances.ts";
import { sharesOf } from "../local-frequencies/count-support.ts";
import { lossOfRatio, mirroredPair } from "../local-frequencies/finite-loss.ts";
import type { LocalMechanism } from "../local-frequencies/local-mechanism.ts";

/** Tells the truth with chance `truth` (an exact text), else one of the other options, each alike. */
export interface RandomizedResponseParameters {
  readonly mechanism: "randomized-response@1";
  readonly options: number;
  readonly truth: string;
}

/** A report is one of the options. */
export type RandomizedResponse = LocalMechanism<number, RandomizedResponseParameters>;

/**
 * k-ary randomized response: a unit reports its option with chance `truth`, each other with (1 − truth)/(k − 1). Loss:
 * ε = ln(truth·(k − 1)/(1 − truth)), exactly attained. (D: two options, truth ¾, where a report says yes with chance
 * ¼ + θ/2; its ε is ln 3.) Proof: ./randomized-response.proof.md
 *
 * Source: Warner 1965; Kairouz, Bonawitz & Ramage 2016, Sec. 2.3; D (randomized response)
 * Direction: exact
 *
 * Errors: parameter.invalid unless options is an integer from 2 to 2^24 and 1/options < truth < 1.
 * @example randomizedResponse({ options: 2, truth: ratio(3n, 4n) }).event.p // => ["3/4", "1/4"]
 */
export function randomizedResponse({
  options,
  truth,
}: {
  readonly options: number;
  readonly truth: Rational;
}): RandomizedResponse {
  return withChance(options, truth);
}

/**
 * The randomized response that is charged at most ε (2^−40 where ε is less): truth = e^ε/(e^ε + k − 1) rounded down to a multiple of 2^−40.
 * Errors: parameter.invalid unless ε > 0 and options is an integer from 2 to 2^24.
 * @example randomizedResponseFor({ options: 4, epsilon: 1 }).respond(2, bits) // 2 with chance 0.475
 */
export function randomizedResponseFor({
  options,
  epsilon,
}: {
  readonly options: number;
  readonly epsilon: RationalInput;
}): RandomizedResponse {
  checkOptions(options);
  const others = ratio(BigInt(options - 1));
  const truth = chanceFor(
    chargeable(rationalOf(epsilon, "epsilon")),
    (decay, grid) => floorTo(divide(one, add(one, multiply(others, decay))), grid),
    (chance) => compare(chance, ratio(1n, BigInt(options))) > 0,
  );
  return withChance(options, truth);
}

/** The same mechanism on the other side. Errors: parameter.invalid. */
export function randomizedResponseOf({
  mechanism,
  options,
  truth,
}: RandomizedResponseParameters): RandomizedResponse {
  if (mechanism !== "randomized-response@1") {
    throw invalidParameter("mechanism", mechanism, "randomized-response@1");
  }
  return randomizedResponse({ options, truth: parseRational(truth, "truth") });
}

function withChance(options: number, truth: Rational): RandomizedResponse {
  checkOptions(options);
  const others = BigInt(options - 1);
  if (!(truth.num * BigInt(options) > truth.den && truth.num < truth.den)) {
    throw invalidParameter("truth", toText(truth), "above 1/options and below 1");
  }
  const other = divide(subtract(one, truth), ratio(others));
  const neither = multiply(ratio(others - 1n), other);
  const shares = sharesOf({ p: truth, q: other }, options);
  return {
    parameters: { mechanism: "randomized-response@1", options, truth: toText(truth) },
    options,
    event: mirroredPair(options === 2 ? [truth, other] : [truth, neither, other], "randomized-response"),
    epsilon: lossOfRatio(truth, other),
    respond(value: number, bits: BitSource): number {
      checkOption(value, options, "value");
      const truthful = bernoulli(truth, bits);
      const drawn = Number(uniformBelow(others, bits));
      return truthful ? value : drawn + (drawn >= value ? 1 : 0);
    },
    aggregate(reports, request) {
      const supporting = new Float64Array(options);
      let count = 0;
      for (const report of reports) {
        checkOption(report, options, "report");
        addAt(supporting, report, 1);
        count += 1;
      }
      return shares([...supporting], count, request);
    },
    aggregateCounts: shares,
  };
}
