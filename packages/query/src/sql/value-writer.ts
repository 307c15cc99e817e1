import type { Query } from "./query.ts";
import type { Window, WindowFunction } from "./window.ts";

export type SqlType = "double" | "integer" | "wide" | "text" | "boolean";

export type Comparison = "=" | "<>" | "<" | "<=" | ">" | ">=";

/**
 * Writes the values of which statements are made. Arguments are texts that the same dialect has written, or names. No method puts
 * parentheses around what it writes: {@link ValueWriter.enclosed} does. Integers have 64 bits, or more where one of them is wide.
 */
export interface ValueWriter {
  /** NULL without a type. */
  readonly missing: string;
  readonly missingOf: (type: SqlType) => string;
  readonly truth: (value: boolean) => string;
  /** An integer of at most 64 bits, or one of up to 126 that stands beside wide ones. */
  readonly integer: (value: bigint | number) => string;
  readonly cast: (x: string, type: SqlType) => string;
  /** Casts to a type that the dialect itself has named. */
  readonly castTo: (x: string, type: string) => string;
  readonly enclosed: (x: string) => string;

  readonly negated: (x: string) => string;
  readonly plus: (a: string, b: string) => string;
  readonly minus: (a: string, b: string) => string;
  readonly times: (a: string, b: string) => string;
  /** Writes a quotient of doubles, of which the second is not 0. */
  readonly ratio: (a: string, b: string) => string;
  /** Writes the remainder of integers, with the first one's sign. */
  readonly remainder: (a: string, b: string) => string;
  /** Writes an integer ≥ 0 moved by a number of bits from 0 to 63, which is an integer or a text. */
  readonly shiftedLeft: (x: string, bits: string | number) => string;
  readonly shiftedRight: (x: string, bits: string | number) => string;
  /** Writes the bits that two integers ≥ 0 have in common. */
  readonly commonBits: (a: string, b: string) => string;

  readonly compare: (a: string, comparison: Comparison, b: string) => string;
  readonly between: (x: string, lo: string, hi: string) => string;
  readonly isIn: (x: string, list: readonly string[]) => string;
  readonly isMissing: (x: string) => string;
  readonly isPresent: (x: string) => string;
  readonly not: (condition: string) => string;
  readonly every: (conditions: readonly string[]) => string;
  readonly some: (conditions: readonly string[]) => string;
  /** Writes a condition that a row of the query exists. */
  readonly exists: (query: Query) => string;

  /** Writes the value behind the first condition that holds; NULL where none does and `otherwise` is missing. */
  readonly caseOf: (
    branches: readonly (readonly [when: string, then: string])[],
    otherwise?: string,
  ) => string;
  readonly coalesce: (...values: readonly string[]) => string;
  readonly least: (...values: readonly string[]) => string;
  readonly missingWhere: (x: string, equals: string) => string;

  /** Counts rows, or those in which a value is not NULL. */
  readonly count: (counted?: string) => string;
  readonly countDistinct: (x: string) => string;
  readonly countWhere: (condition: string) => string;
  /** Sums integers in the wide type; or in 64 bits, where `largest`, the most that one is in absolute value, leaves them room for every row. */
  readonly sum: (x: string, largest?: bigint) => string;
  /** Sums the distinct ones of some integers in the wide type. */
  readonly sumDistinct: (x: string) => string;
  readonly sumOfDoubles: (x: string) => string;
  readonly min: (x: string) => string;
  readonly max: (x: string) => string;
  /** Collects the bits of integers ≥ 0. */
  readonly allBits: (x: string) => string;
  readonly call: (name: WindowFunction, ...args: readonly string[]) => string;
  /** Writes an aggregate, or a function of windows, over a window. */
  readonly over: (call: string, window: Window) => string;
}
