import { type Rational, toDouble } from "../numeric/rational.ts";

/** The least double at or above, or null where there is none. */
export function finite(x: Rational): number | null {
  const up = toDouble(x, "up");
  return up < Number.POSITIVE_INFINITY ? up : null;
}
