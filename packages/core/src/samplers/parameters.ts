import { invalidParameter } from "../errors/lethe-error.ts";
import { type Rational, toText } from "../numeric/rational.ts";

export function checkPositive(name: string, x: Rational): void {
  if (!(x.num > 0n && x.den > 0n)) throw invalidParameter(name, toText(x), "> 0");
}

/** `limit` is where the chance of a magnitude of 2^53 or more is still below e^−100. */
export function checkFillable(name: string, x: Rational, limit: bigint): void {
  if (x.num > limit * x.den) {
    throw invalidParameter(name, toText(x), `at most ${limit} to fill doubles; draw one at a time instead`);
  }
}
