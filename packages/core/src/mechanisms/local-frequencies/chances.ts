import { epsilonGrid } from "../../conversions/search/loss-grid.ts";
import { invalidParameter } from "../../errors/lethe-error.ts";
import { expBracket } from "../../numeric/bracket.ts";
import {
  compare,
  floorTo,
  negate,
  type Rational,
  ratio,
  subtract,
  toText,
  zero,
} from "../../numeric/rational.ts";

/** Probabilities are multiples of 2^−40, finer only where ε is so small that this could not tell them apart. */
const chanceBits = 40;

/**
 * The exponent to aim at so that the event's price, ln of a ratio rounded up to a multiple of 2^−40, is at most ε: ε moved
 * down to such a multiple, less a hair for the bracket of ln. Below 2^−40 ε stays, and 2^−40 is charged.
 * Errors: parameter.invalid unless ε > 0.
 */
export function chargeable(epsilon: Rational): Rational {
  if (!(compare(epsilon, zero) > 0)) throw invalidParameter("epsilon", toText(epsilon), "> 0");
  const onGrid = floorTo(epsilon, epsilonGrid);
  return onGrid.num === 0n ? epsilon : subtract(onGrid, ratio(1n, epsilonGrid << 30n));
}

/**
 * The best chance that a rational can express: `chance(decay, grid)` gets e^−exponent rounded up, and a grid to round onto
 * toward less loss; the grid is refined until `useful`. For exponent > 0.
 */
export function chanceFor(
  exponent: Rational,
  chance: (decay: Rational, grid: bigint) => Rational,
  useful: (chance: Rational) => boolean,
): Rational {
  for (let bits = chanceBits; ; bits += 24) {
    const found = chance(expBracket(negate(exponent), bits + 24).hi, 1n << BigInt(bits));
    if (useful(found)) return found;
  }
}

/** Errors: parameter.invalid unless it is an integer from 2 to 2^24. */
export function checkOptions(options: number): void {
  if (!(Number.isInteger(options) && options >= 2 && options <= 2 ** 24)) {
    throw invalidParameter("options", options, "an integer from 2 to 2^24");
  }
}

/** Errors: parameter.invalid unless it is one of 0 … options − 1. The value itself is not shown. */
export function checkOption(option: number, options: number, name: string): void {
  if (!(Number.isInteger(option) && option >= 0 && option < options)) {
    throw invalidParameter(name, "something else", `an integer from 0 to ${options - 1}`);
  }
}
