import type { Operator } from "../../expressions/operator.ts";
import type { Comparison, ValueWriter } from "../../sql/value-writer.ts";

/** The magnitude below which a bound is a literal that every engine takes for a 64-bit integer. */
const largest = 2 ** 62;

/**
 * Writes i · 2^exponent ∘ c as a comparison of the integer i alone: for integers, i > q is i > ⌊q⌋, i < q is i < ⌈q⌉. Scaling by
 * a power of two is exact, save for an underflow, which is left to the doubles. NULL stays NULL.
 * @example compareStored("i", ">", 0.3, -1, duckdb.write) // => "(i > 0)"
 */
export function compareStored(
  i: string,
  operator: Operator,
  constant: number,
  exponent: number,
  write: ValueWriter,
): string | null {
  const q = constant * 2 ** -exponent;
  if (!(Math.abs(q) < largest) || q * 2 ** exponent !== constant) return null;
  const isIt = (comparison: Comparison, other: string): string =>
    write.enclosed(write.compare(i, comparison, other));
  const bound = (x: number): string => write.integer(x);
  switch (operator) {
    case ">":
    case "<=":
      return isIt(operator, bound(Math.floor(q)));
    case "<":
    case ">=":
      return isIt(operator, bound(Math.ceil(q)));
    case "=":
      // Where no integer equals the constant, the result is still unknown where the value is.
      return Number.isInteger(q) ? isIt("=", bound(q)) : isIt("<>", i);
    case "<>":
      return Number.isInteger(q) ? isIt("<>", bound(q)) : isIt("=", i);
    default:
      return null;
  }
}
