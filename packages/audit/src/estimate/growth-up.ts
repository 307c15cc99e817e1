import { type Rational, toDouble } from "@lethe/core";
import { expBracket } from "@lethe/core/numeric";

const known = new Map<string, number>();

/** e^ε, rounded up; kept, since claims are asked again and again. */
export function growthUp(epsilon: Rational): number {
  const key = `${epsilon.num}/${epsilon.den}`;
  const found = known.get(key) ?? toDouble(expBracket(epsilon, 80).hi, "up");
  if (known.size > 10_000) known.clear();
  known.set(key, found);
  return found;
}
