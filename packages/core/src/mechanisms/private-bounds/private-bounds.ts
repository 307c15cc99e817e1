import type { BitSource } from "../../entropy/bit-source.ts";
import { invalidParameter } from "../../errors/lethe-error.ts";
import type { EventOf } from "../../events/event.ts";
import type { Adjacency } from "../../losses/measures/adjacency.ts";
import { elementAt } from "../../numeric/elements/element-at.ts";
import { compare, divide, parseRational, type Rational, ratio, toText } from "../../numeric/rational.ts";
import { checkAlpha } from "../geometric/laplace-error-bound.ts";
import type { PublicRange } from "../geometric/public-range.ts";
import {
  type QuantileSetting,
  quantileEvent,
  quantileRankErrorBound,
  releaseQuantile,
} from "../quantile/index.ts";

/** The most candidates that a choice reads. */
const mostCandidates = 1 << 16;

/** A paid choice of clipping bounds among public candidates. Plain public data; rationals are exact texts. */
export interface PrivateBoundsSetting {
  /** Increasing; at least two. Public. See {@link geometricCandidates}. */
  readonly candidates: readonly bigint[];
  /** The share of rows that may lie below the lower bound; null keeps the least candidate, at no price. */
  readonly below: string | null;
  /** The share of rows that may lie above the upper bound. */
  readonly above: string;
  /** The ε of the whole choice; each end takes half where both are chosen. */
  readonly epsilon: string;
  readonly adjacency: Adjacency;
  /** Rows that one unit has at most; 1 unless stated. */
  readonly rows?: bigint;
}

/**
 * 0, 1, base, base² … up to the first that reaches `largest`, which stands in its place; with their negatives where `signed`.
 * Errors: parameter.invalid unless largest ≥ 1 and base ≥ 2.
 * @example geometricCandidates({ largest: 1000n, base: 10n, signed: false }) // => [0n, 1n, 10n, 100n, 1000n]
 */
export function geometricCandidates({
  largest,
  base = 2n,
  signed,
}: {
  readonly largest: bigint;
  readonly base?: bigint;
  readonly signed: boolean;
}): bigint[] {
  if (!(typeof largest === "bigint" && largest >= 1n))
    throw invalidParameter("largest", largest, "an integer ≥ 1");
  if (!(typeof base === "bigint" && base >= 2n)) throw invalidParameter("base", base, "an integer ≥ 2");
  const up: bigint[] = [];
  for (let power = 1n; power < largest; power *= base) up.push(power);
  up.push(largest);
  return signed ? [...up.map((x) => -x).reverse(), 0n, ...up] : [0n, ...up];
}

/** The two choices, each a quantile of indices into the candidates; the lower one null where it is not asked. */
function choices(setting: PrivateBoundsSetting): {
  readonly lower: QuantileSetting | null;
  readonly upper: QuantileSetting;
} {
  const { candidates, below, above, adjacency, rows } = setting;
  if (!(Array.isArray(candidates) && candidates.length >= 2 && candidates.length <= mostCandidates)) {
    throw invalidParameter("candidates", "a list of another length", `a list of 2 to ${mostCandidates}`);
  }
  if (!candidates.every((x, i) => typeof x === "bigint" && (i === 0 || x > elementAt(candidates, i - 1)))) {
    throw invalidParameter("candidates", "others", "increasing integers");
  }
  const whole = parseRational(setting.epsilon, "epsilon");
  const epsilon = toText(below === null ? whole : divide(whole, ratio(2n)));
  const range = { lo: 0n, hi: BigInt(candidates.length - 1) };
  const end = (q: string): QuantileSetting => ({
    range,
    q,
    epsilon,
    adjacency,
    ...(rows === undefined ? {} : { rows }),
  });
  const shareAbove = share(above, "above");
  const upper = end(toText({ num: shareAbove.den - shareAbove.num, den: shareAbove.den }));
  return { lower: below === null ? null : end(toText(share(below, "below"))), upper };
}

function share(text: string, name: string): Rational {
  const value = parseRational(text, name);
  if (!(value.num >= 0n && compare(value, ratio(1n, 2n)) < 0)) {
    throw invalidParameter(name, text, "at least 0 and below 1/2");
  }
  return value;
}

/**
 * Returns the event of the choice: one quantile for each end, ε in all.
 * Source: Smith 2011 (clipping at private quantiles).
 * Direction: exact.
 * Errors: parameter.invalid.
 */
export function privateBoundsEvent(setting: PrivateBoundsSetting): EventOf<"compose"> {
  const { lower, upper } = choices(setting);
  const events = [lower, upper].flatMap((end) =>
    end === null ? [] : [{ ...quantileEvent(end), of: "private-bounds" }],
  );
  return { kind: "compose", version: 1, events };
}

/** The bounds, lo < hi, both candidates, and the event that they cost. */
export interface ChosenBounds extends PublicRange {
  readonly event: EventOf<"compose">;
}

/**
 * Chooses clipping bounds from the data: privately, among public candidates, for a price that it names. Then clip with them as
 * with declared bounds. A row counts for the upper bound as the least candidate that holds it, for the lower as the greatest.
 * Proof: ./private-bounds.proof.md
 * Errors: parameter.invalid, of the setting alone.
 * @example
 * const candidates = geometricCandidates({ largest: 1_000_000n, signed: false });
 * choosePrivateBounds({ candidates, below: null, above: "1/100", epsilon: "1/10", adjacency: "add-or-remove-one" }, wages, bits)
 */
export function choosePrivateBounds(
  setting: PrivateBoundsSetting,
  values: readonly bigint[],
  bits: BitSource,
): ChosenBounds {
  const { candidates } = setting;
  const { lower, upper } = choices(setting);
  const event = privateBoundsEvent(setting);
  /** Returns the number of candidates below the value: the index of the least one that is at least the value. */
  const reaching = (value: bigint): bigint => BigInt(countBelow(candidates, value));
  const last = candidates.length - 1;
  const highest = Number(releaseQuantile(upper, values.map(reaching), bits));
  const lowest =
    lower === null
      ? 0
      : Number(
          releaseQuantile(
            lower,
            values.map((value) => notAbove(candidates, value)),
            bits,
          ),
        );
  // Of what was chosen alone: bounds that cross or meet are widened to the candidate beside.
  const from = Math.min(lowest, highest, last - 1);
  const to = Math.max(highest, lowest, from + 1);
  return { lo: elementAt(candidates, from), hi: elementAt(candidates, to), event };
}

/** The number of candidates below the value; the value may be anything. */
function countBelow(candidates: readonly bigint[], value: bigint): number {
  let [low, high] = [0, candidates.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (elementAt(candidates, middle) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The index of the greatest candidate at most the value; 0 where none is. */
function notAbove(candidates: readonly bigint[], value: bigint): bigint {
  const below = countBelow(candidates, value);
  return BigInt(below < candidates.length && candidates[below] === value ? below : Math.max(0, below - 1));
}

/**
 * r such that with probability ≥ 1 − beta, at both ends: of the rows between the least and the greatest candidate at most above·n + r
 * lie above hi, and at most below·n + r below lo.
 * Source: McSherry & Talwar 2007, Thm 6, by a union bound over the ends.
 * Direction: upper.
 * Errors: parameter.invalid unless 0 < beta < 1.
 */
export function privateBoundsErrorBound(setting: PrivateBoundsSetting, beta: Rational): Rational {
  const { lower, upper } = choices(setting);
  checkAlpha(beta);
  if (lower === null) return quantileRankErrorBound(upper, beta);
  const half = divide(beta, ratio(2n));
  const [a, b] = [quantileRankErrorBound(lower, half), quantileRankErrorBound(upper, half)];
  return compare(a, b) > 0 ? a : b;
}
