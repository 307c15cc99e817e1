import type { BitSource } from "../../entropy/bit-source.ts";
import { invalidParameter } from "../../errors/lethe-error.ts";
import { expBracket } from "../../numeric/bracket.ts";
import {
  add,
  compare,
  divide,
  floor,
  floorTo,
  multiply,
  negate,
  one,
  parseRational,
  type Rational,
  ratio,
  subtract,
  toText,
} from "../../numeric/rational.ts";
import { bernoulli } from "../../samplers/bernoulli.ts";
import { uniformSequence } from "../../samplers/uniform-sequence.ts";
import { chanceFor, chargeable, checkOption, checkOptions } from "../local-frequencies/chances.ts";
import { countSets, sharesOf } from "../local-frequencies/count-support.ts";
import { lossOfRatio, mirroredPair } from "../local-frequencies/finite-loss.ts";
import type { LocalMechanism } from "../local-frequencies/local-mechanism.ts";

/** A set of `size` options that contains the unit's own with chance `own` (an exact text), and is uniform otherwise. */
export interface SubsetResponseParameters {
  readonly mechanism: "subset-response@1";
  readonly options: number;
  readonly size: number;
  readonly own: string;
}

/** A report is a list of `size` options in rising order. */
export type SubsetResponse = LocalMechanism<readonly number[], SubsetResponseParameters>;

/**
 * Subset selection: with chance `own` a uniform set of `size` options around the unit's own, else a uniform set of as many
 * others. Loss: ε = ln(own·(d − size)/((1 − own)·size)), exactly attained. Proof: ./subset-response.proof.md
 *
 * Source: Ye & Barg 2018, Sec. III; Wang et al. 2016
 * Direction: exact
 *
 * Errors: parameter.invalid unless options is an integer from 2 to 2^24, 1 ≤ size < options, size/options < own < 1.
 */
export function subsetResponse({
  options,
  size,
  own,
}: {
  readonly options: number;
  readonly size: number;
  readonly own: Rational;
}): SubsetResponse {
  return withChance(options, size, own);
}

/**
 * The subset selection that is charged at most ε (2^−40 where ε is less), of the best size: about d/(e^ε + 1), at least 1. `own` is rounded down to a
 * multiple of 2^−40. Errors: parameter.invalid unless ε > 0 and options is an integer from 2 to 2^24.
 * @example subsetResponseFor({ options: 16, epsilon: ratio(1n) }).parameters.size // => 4
 */
export function subsetResponseFor({
  options,
  epsilon,
}: {
  readonly options: number;
  readonly epsilon: Rational;
}): SubsetResponse {
  checkOptions(options);
  const exponent = chargeable(epsilon);
  const decayed = expBracket(negate(exponent), 64).hi;
  const ideal = divide(multiply(ratio(BigInt(options)), decayed), add(one, decayed));
  const size = Math.max(1, Math.min(options - 1, Number(floor(add(ideal, ratio(1n, 2n))))));
  const [inside, outside] = [ratio(BigInt(size)), ratio(BigInt(options - size))];
  const own = chanceFor(
    exponent,
    (decay, grid) => floorTo(divide(inside, add(inside, multiply(outside, decay))), grid),
    (chance) => compare(chance, ratio(BigInt(size), BigInt(options))) > 0,
  );
  return withChance(options, size, own);
}

/** The same mechanism on the other side. Errors: parameter.invalid. */
export function subsetResponseOf({
  mechanism,
  options,
  size,
  own,
}: SubsetResponseParameters): SubsetResponse {
  if (mechanism !== "subset-response@1") throw invalidParameter("mechanism", mechanism, "subset-response@1");
  return subsetResponse({ options, size, own: parseRational(own, "own") });
}

function withChance(options: number, size: number, own: Rational): SubsetResponse {
  checkOptions(options);
  if (!(Number.isInteger(size) && size >= 1 && size < options)) {
    throw invalidParameter("size", size, "an integer from 1 to options − 1");
  }
  const [d, k] = [BigInt(options), BigInt(size)];
  if (!(own.num * d > k * own.den && own.num < own.den)) {
    throw invalidParameter("own", toText(own), "above size/options and below 1");
  }
  const without = subtract(one, own);
  const ownAlone = multiply(own, ratio(d - k, d - 1n));
  const otherAlone = multiply(without, ratio(k, d - 1n));
  const alike = subtract(one, add(ownAlone, otherAlone));
  const other = add(multiply(own, ratio(k - 1n, d - 1n)), otherAlone);
  const shares = sharesOf({ p: own, q: other }, options);
  return {
    parameters: { mechanism: "subset-response@1", options, size, own: toText(own) },
    options,
    event: mirroredPair(
      alike.num === 0n ? [ownAlone, otherAlone] : [ownAlone, alike, otherAlone],
      "subset-response",
    ),
    epsilon: lossOfRatio(ownAlone, otherAlone),
    respond(value: number, bits: BitSource): readonly number[] {
      checkOption(value, options, "value");
      const includesOwn = bernoulli(own, bits);
      // Always `size` of the others: the first size − 1 of a uniform sequence are uniform too.
      const others = uniformSequence(size, options - 1, bits).map((at) => (at >= value ? at + 1 : at));
      if (includesOwn) others[size - 1] = value;
      return others.sort((a, b) => a - b);
    },
    aggregate(reports, request) {
      const { supporting, count } = countSets(reports, options, size);
      return shares(supporting, count, request);
    },
    aggregateCounts: shares,
  };
}
