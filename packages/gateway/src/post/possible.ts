import type { NumberRange } from "@lethe/query";
import type { PostValue } from "./evaluate.ts";

/** The values that an expression may have while its parts stay within their intervals; may hold more, never less. */
export interface Possible {
  readonly numbers: NumberRange | null;
  readonly others: ReadonlySet<string | boolean>;
  readonly nullable: boolean;
}

export const nothing: ReadonlySet<never> = new Set();

/** A number within a range. */
export function within(numbers: NumberRange): Possible {
  return { numbers, others: nothing, nullable: false };
}

/** One value. */
export function exactly(value: PostValue): Possible {
  if (value === null) return { numbers: null, others: nothing, nullable: true };
  if (typeof value === "number" || typeof value === "bigint")
    return within({ lo: Number(value), hi: Number(value) });
  return { numbers: null, others: new Set([value]), nullable: false };
}

/** Returns the union of two sets of possible values. */
export function either(a: Possible | null, b: Possible): Possible {
  if (a === null) return b;
  return {
    numbers: hull(a.numbers, b.numbers),
    others: new Set([...a.others, ...b.others]),
    nullable: a.nullable || b.nullable,
  };
}

function hull(a: NumberRange | null, b: NumberRange | null): NumberRange | null {
  if (a === null || b === null) return a ?? b;
  return { lo: Math.min(a.lo, b.lo), hi: Math.max(a.hi, b.hi) };
}
