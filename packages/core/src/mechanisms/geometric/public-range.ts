import { invalidParameter } from "../../errors/lethe-error.ts";

/** A declared range of integers (grid units), both ends included. Public: it never comes from the data. */
export interface PublicRange {
  readonly lo: bigint;
  readonly hi: bigint;
}

/** Errors: parameter.invalid unless both ends are integers, lo ≤ hi, and the range has at most `most` steps. */
export function checkRange({ lo, hi }: PublicRange, most?: bigint): void {
  if (!(typeof lo === "bigint")) throw invalidParameter("lo", lo, "an integer");
  if (!(typeof hi === "bigint" && hi >= lo)) throw invalidParameter("hi", hi, "an integer ≥ lo");
  if (most !== undefined && !(hi - lo <= most)) {
    throw invalidParameter("hi", hi, `at most ${most} steps above lo`);
  }
}

/** The nearest number of the range. Total: what is not an integer counts as lo, because an error would tell of the data. */
export function clampTo(value: bigint, { lo, hi }: PublicRange): bigint {
  if (typeof value !== "bigint" || value < lo) return lo;
  return value > hi ? hi : value;
}
