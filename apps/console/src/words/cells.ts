import type { Cell, Estimate } from "@lethe/client";
import { visible } from "./visible.ts";

/** Whether a cell is a noisy value with its interval. */
export function isEstimate(cell: Cell | undefined): cell is Estimate | Estimate<string> {
  return typeof cell === "object" && cell !== null && "value" in cell;
}

/** Writes a key: what is missing, left over or grouped away has words of ours. */
export function keyWords(cell: Cell | undefined): string {
  if (cell === null || cell === undefined) return "(null)";
  if (typeof cell === "object")
    return "other" in cell ? "(other)" : "all" in cell ? "(all)" : visible(String(cell.value));
  return visible(String(cell));
}

/** Writes a noisy number with as many digits as its interval gives sense to, and one more. */
export function numberWords(
  value: number | string | null,
  { lower, upper }: Estimate | Estimate<string>,
): string {
  if (value === null) return "—";
  if (typeof value === "string") return visible(value);
  if (typeof lower !== "number" || typeof upper !== "number") return plain(value, 3);
  if ([value, lower, upper].every(Number.isInteger)) return plain(value, 0);
  const half = (upper - lower) / 2;
  if (!(half > 0)) return plain(value, 6);
  return value.toLocaleString("en", fraction(Math.max(0, Math.min(12, 1 - Math.floor(Math.log10(half))))));
}

function plain(value: number, digits: number): string {
  return value.toLocaleString("en", { maximumFractionDigits: digits });
}

function fraction(digits: number): Intl.NumberFormatOptions {
  return { minimumFractionDigits: digits, maximumFractionDigits: digits };
}
