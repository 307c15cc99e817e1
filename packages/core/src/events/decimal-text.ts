import { invalidParameter } from "../errors/lethe-error.ts";

/**
 * The shortest decimal that a finite double writes: the exact number that an event then records.
 * Errors: parameter.invalid for NaN and ±Infinity.
 * @example decimalText(0.1) // => "0.1"
 */
export function decimalText(x: number, name = "number"): string {
  if (!Number.isFinite(x)) throw invalidParameter(name, x, "finite");
  return String(x);
}
