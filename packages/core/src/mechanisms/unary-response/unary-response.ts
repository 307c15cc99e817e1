import type { BitSource } from "../../entropy/bit-source.ts";
import { invalidParameter } from "../../errors/lethe-error.ts";
import {
  add,
  ceilTo,
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
import { uniformBelow } from "../../samplers/uniform-below.ts";
import { chanceFor, chargeable, checkOption, checkOptions } from "../local-frequencies/chances.ts";
import { countSets, sharesOf } from "../local-frequencies/count-support.ts";
import { lossOfRatio, mirroredPair } from "../local-frequencies/finite-loss.ts";
import type { LocalMechanism } from "../local-frequencies/local-mechanism.ts";

/** Each option is reported independently: the unit's own with chance `own`, any other with chance `other` (exact texts). */
export interface UnaryResponseParameters {
  readonly mechanism: "unary-response@1";
  readonly options: number;
  readonly own: string;
  readonly other: string;
}

/** A report is the list of the options it contains, in rising order. */
export type UnaryResponse = LocalMechanism<readonly number[], UnaryResponseParameters>;

const half = ratio(1n, 2n);

/**
 * Unary encoding: one bit an option, 1 at the unit's own, each kept or turned by its own coin. Loss:
 * ε = ln(own·(1 − other)/((1 − own)·other)), exactly attained. Proof: ./unary-response.proof.md
 *
 * Source: Erlingsson, Pihur & Korolova 2014 (basic RAPPOR); Wang, Blocki, Li & Jha 2017, Sec. 4.2
 * Direction: exact
 *
 * Errors: parameter.invalid unless options is an integer from 2 to 2^24 and 0 < other < own < 1.
 */
export function unaryResponse({
  options,
  own,
  other,
}: {
  readonly options: number;
  readonly own: Rational;
  readonly other: Rational;
}): UnaryResponse {
  return withChances(options, own, other);
}

/**
 * The unary response that is charged at most ε (2^−40 where ε is less). "symmetric" turns every bit with the same chance 1/(e^{ε/2} + 1); "optimized"
 * (OUE, Wang et al. 2017) keeps the own bit with chance ½ and sets others with 1/(e^ε + 1), which has the least variance for
 * rare options. Chances are rounded toward less loss to multiples of 2^−40.
 * Errors: parameter.invalid unless ε > 0 and options is an integer from 2 to 2^24.
 * @example unaryResponseFor({ options: 100, epsilon: ratio(1n) }).parameters.own // => "1/2"
 */
export function unaryResponseFor({
  options,
  epsilon,
  form = "optimized",
}: {
  readonly options: number;
  readonly epsilon: Rational;
  readonly form?: "symmetric" | "optimized";
}): UnaryResponse {
  if (form === "optimized") {
    const other = chanceFor(
      chargeable(epsilon),
      // e^−ε/(1 + e^−ε) rises with e^−ε, so up stays up.
      (decay, grid) => ceilTo(divide(decay, add(one, decay)), grid),
      (chance) => compare(chance, half) < 0,
    );
    return withChances(options, half, other);
  }
  if (form !== "symmetric") throw invalidParameter("form", form, '"symmetric" or "optimized"');
  const own = chanceFor(
    divide(chargeable(epsilon), ratio(2n)),
    (decay, grid) => floorTo(divide(one, add(one, decay)), grid),
    (chance) => compare(chance, half) > 0,
  );
  return withChances(options, own, subtract(one, own));
}

/** The same mechanism on the other side. Errors: parameter.invalid. */
export function unaryResponseOf({ mechanism, options, own, other }: UnaryResponseParameters): UnaryResponse {
  if (mechanism !== "unary-response@1") throw invalidParameter("mechanism", mechanism, "unary-response@1");
  return unaryResponse({ options, own: parseRational(own, "own"), other: parseRational(other, "other") });
}

function withChances(options: number, own: Rational, other: Rational): UnaryResponse {
  checkOptions(options);
  if (!(other.num > 0n && compare(other, own) < 0 && compare(own, one) < 0)) {
    throw invalidParameter("own and other", `${toText(own)}, ${toText(other)}`, "0 < other < own < 1");
  }
  const shares = sharesOf({ p: own, q: other }, options);
  // The two bits where neighbours differ: only the first's set, alike, only the second's set.
  const kept = multiply(own, subtract(one, other));
  const turned = multiply(subtract(one, own), other);
  const alike = subtract(one, add(kept, turned));
  // One draw decides a bit whichever chance it has, so that all values ask for the same coins.
  const sides = own.den * other.den;
  const [ownSides, otherSides] = [own.num * other.den, other.num * own.den];
  return {
    parameters: { mechanism: "unary-response@1", options, own: toText(own), other: toText(other) },
    options,
    event: mirroredPair([kept, alike, turned], "unary-response"),
    epsilon: lossOfRatio(kept, turned),
    respond(value: number, bits: BitSource): readonly number[] {
      checkOption(value, options, "value");
      const report: number[] = [];
      for (let option = 0; option < options; option++) {
        const drawn = uniformBelow(sides, bits);
        if (drawn < (option === value ? ownSides : otherSides)) report.push(option);
      }
      return report;
    },
    aggregate(reports, request) {
      const { supporting, count } = countSets(reports, options, null);
      return shares(supporting, count, request);
    },
    aggregateCounts: shares,
  };
}
