import { invalidParameter } from "../../errors/lethe-error.ts";
import { expBracket } from "../../numeric/bracket.ts";
import { compare, negate, type Rational, toText, zero } from "../../numeric/rational.ts";

/** Probabilities are multiples of 2^−40, finer only where ε is so small that this could not tell them apart. */
const chanceBits = 40;

/**
 * The best chance that a rational can express: `chance(decay, grid)` gets e^−ε rounded up, and a grid to round onto
 * toward less loss; the grid is refined until `useful`. Errors: parameter.invalid unless ε > 0.
 */
export function chanceFor(
  epsilon: Rational,
  chance: (decay: Rational, grid: bigint) => Rational,
  useful: (chance: Rational) => boolean,
): Rational {
  if (!(compare(epsilon, zero) > 0)) throw invalidParameter("epsilon", toText(epsilon), "> 0");
  for (let bits = chanceBits; ; bits += 24) {
    const found = chance(expBracket(negate(epsilon), bits + 24).hi, 1n << BigInt(bits));
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
