import { sqrtBracket } from "../numeric/bracket.ts";
import { ceil, floor, multiply, type Rational, ratio } from "../numeric/rational.ts";

const significantBits = 44;

/** √x·2^places for a rational x > 0, with the places at which it has about 44 bits before the point. */
function scaled(x: Rational): { readonly lo: Rational; readonly hi: Rational; readonly unit: Rational } {
  const exponent = Math.ceil((x.num.toString(2).length - x.den.toString(2).length + 1) / 2);
  const places = significantBits - exponent;
  const scale = places >= 0 ? ratio(1n << BigInt(places)) : ratio(1n, 1n << BigInt(-places));
  const bracket = sqrtBracket(multiply(x, multiply(scale, scale)), 8);
  return { ...bracket, unit: ratio(scale.den, scale.num) };
}

/** √x rounded up to about 44 significant bits, for x > 0: a σ whose price never exceeds the variance's. */
export function rootUp(x: Rational): Rational {
  const { hi, unit } = scaled(x);
  return multiply(ratio(ceil(hi)), unit);
}

/** √x rounded down to about 44 significant bits, for x > 0. */
export function rootDown(x: Rational): Rational {
  const { lo, unit } = scaled(x);
  return multiply(ratio(floor(lo)), unit);
}
