import { epsilonGrid } from "../../conversions/search/loss-grid.ts";
import type { EventOf } from "../../events/event.ts";
import { lnBracket } from "../../numeric/bracket.ts";
import { ceilTo, divide, type Rational, toText } from "../../numeric/rational.ts";

/** ln(numerator/denominator) rounded up to the grid of transcendental prices: what the event is charged as pure loss. */
export function lossOfRatio(numerator: Rational, denominator: Rational): Rational {
  return ceilTo(lnBracket(divide(numerator, denominator), 80).hi, epsilonGrid);
}

/** The event of a mechanism whose worst pair is p against its mirror: outcome i of one is outcome n − 1 − i of the other. */
export function mirroredPair(p: readonly Rational[], of: string): EventOf<"finite-pair"> {
  const texts = p.map(toText);
  return { kind: "finite-pair", version: 1, p: texts, q: texts.toReversed(), of };
}
