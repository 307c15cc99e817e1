import type { Arity, ArityOf, Operands } from "../expressions/arity.ts";
import type { Expression } from "../expressions/expression.ts";
import type { Operator } from "../expressions/operator.ts";
import type { Grid } from "../grid/grid.ts";
import type { ColumnPolicy } from "../policy/policy.ts";
import type { FullJoin } from "../sql/full-join.ts";
import type { FromItem, Query } from "../sql/query.ts";
import type { Semijoin } from "../sql/semijoin.ts";
import type { SqlType, ValueWriter } from "../sql/value-writer.ts";
import type { QueryWords } from "./print-query.ts";
import type { PublicWords } from "./public-words.ts";

/** The SQL text of one dialect. Pure: no dialect opens a connection, and no text of a user passes through but as a literal. */
export interface Dialect {
  /** The name by which an engine is called. */
  readonly name: string;
  readonly types: Readonly<Record<SqlType, string>>;
  /** The secret seed of the keyed hash, as the statement's one parameter. */
  readonly seed: string;
  /** Writes the values of statements. */
  readonly write: ValueWriter;
  /** The words of statements, for {@link printQuery}. */
  readonly words: QueryWords;
  /** The most characters of a statement that engines take; null where nothing limits them but memory. */
  readonly longestStatement: number | null;
  /** Refuses a statement that engines would take and then fail to compile or to plan; null where they do so with any. Errors: query.too-large. */
  readonly checkSize: ((sql: string) => void) | null;
  /** Whether a table before a query is copied to every place that names it, and computed there anew, instead of being computed once. */
  readonly copiesTables: boolean;
  /** Whether a column's text costs no more to compute where it is named than to hand on from a SELECT that computes it once. */
  readonly isCheap: (text: string) => boolean;
  /** The way to find the groups that come first in their unit's order (docs/architecture/bounding-and-index.md). */
  readonly firstGroups: ByRank | ByBits | ByPairs;
  /** Writes a condition on a computed column so that the planner does not assume that few rows meet it. */
  readonly likely: (condition: string) => string;
  readonly fullJoin: FullJoin;
  readonly semijoin: Semijoin;
  readonly identifier: (name: string) => string;
  readonly text: (value: string) => string;
  /** Writes the exact double. */
  readonly double: (value: number) => string;
  /** Writes an integer of up to 128 bits, of the wide type. */
  readonly wide: (value: bigint) => string;
  /** Writes every operator, total on every row: where SQL would raise or the result is not finite, NULL. */
  readonly operators: OperatorTexts;
  /**
   * A double's grid integer: round(x·2^−exponent) to even, clamped to lo … hi; NULL for NULL, NaN and ±Inf. x is a
   * column's name, cheap to repeat.
   */
  readonly toGrid: (x: string, grid: Grid) => string;
  /** A double that is an integer of magnitude ≤ 2^53, as a 64-bit integer. */
  readonly toInteger: (x: string) => string;
  /** An integer from lo to hi as the type that rows are grouped by fastest; NULL stays NULL. */
  readonly narrow: (integer: string, lo: number, hi: number) => string;
  /** ⌊a/b⌋ of wide integers a ≥ 0, b > 0. */
  readonly quotient: (a: string, b: string) => string;
  /** How a sum over units is computed in 64 bits where its integers leave room; null where sums are wide by themselves and lose little by it. */
  readonly narrowSums: NarrowSums | null;
  /** md5 of a text, in hexadecimal digits, which compare byte by byte. */
  readonly hash: (text: string) => string;
  /** The first 60 bits of a text's md5, as a 64-bit integer. */
  readonly textNumber: (text: string) => string;
  /** Writes the exclusive or of two 64-bit integers ≥ 0. */
  readonly exclusiveOr: (a: string, b: string) => string;
  /** The 64 bits of a double as 16 hexadecimal digits, the sign first: engines write doubles differently. */
  readonly doubleBits: (x: string) => string;
  readonly leastOfUnit: LeastOfUnit;
  /** Number of characters, as a part of what is joined. */
  readonly lengthText: (text: string) => string;
  /** The parts as one text, none of which is NULL: texts and numbers of characters. */
  readonly joined: (parts: readonly string[]) => string;
  readonly columns: ColumnCleaning;
  readonly publicRows: PublicWords;
}

/** Finds groups by their rank in one order of all rows. */
export interface ByRank {
  readonly by: "rank";
}

/** Finds groups by bits of their places, and joins: for engines that sort all rows more slowly than they join them. */
export interface ByBits {
  readonly by: "bits";
  /** Counts the bits of a 64-bit integer that are 1. */
  readonly bitCount: (x: string) => string;
}

/** Finds groups by their rank among what rows are grouped to by unit and group: for engines that hand rows between machines, and then hand them once. */
export interface ByPairs {
  readonly by: "pairs";
}

/** Selects those rows of each unit that come first; of rows with the same order any may. */
export type LeastOfUnit = (request: FirstRows) => Query;

export interface FirstRows {
  /** Has the name `owned`; its column u names the unit. */
  readonly from: FromItem;
  /** The columns to return, under their own names. */
  readonly columns: readonly string[];
  /** The values over `owned` by which rows are ordered; the first of them is never NULL. */
  readonly order: readonly string[];
  /** The number of rows to keep for each unit. */
  readonly most: number;
}

/** Writes an operator of so many operands, whose SQL it is given; without an arity, of any number of them. */
export type OperatorText<A extends Arity = Arity> = (
  operands: Operands<A, string>,
  call: CallOf<A>,
) => string;

/** The texts of some operators, each of so many operands as the operator has. */
export type OperatorTexts<Some extends Operator = Operator> = {
  readonly [O in Some]: OperatorText<ArityOf<O>>;
};

export type Call = Extract<Expression, { readonly kind: "call" }>;

/** A call whose operands are counted. */
export interface CallOf<A extends Arity> extends Call {
  readonly args: Operands<A, Expression>;
}

/**
 * The text that turns a raw value of any native type into what a snapshot stores: first parsed, then cleaned. Two steps, so that
 * the second may name its argument often. Import and queries over raw tables share this text. `native` is the type that the
 * engine's storage states, for dialects in which text depends on it.
 */
export interface ColumnCleaning {
  /** NULL where the value is not of the column's kind; may still be NaN, ±Inf, out of bounds, no category. */
  readonly parse: (column: ColumnPolicy, raw: string, native?: string) => string;
  /** Grid integers for bounded numbers, integers as they are, doubles, clean texts, booleans; defaults filled in. */
  readonly clean: (column: ColumnPolicy, parsed: string, native?: string) => string;
  /** Type of what is stored. */
  readonly type: (column: ColumnPolicy) => string;
  /** The unit's name as a text of at most 257 characters, different for different units. */
  readonly unit: (raw: string, native?: string) => string;
  /** Returns the text that tells units apart where one table is asked alone: their names, or a cheaper value that is as distinct. */
  readonly ownUnit: (raw: string, native?: string) => OwnUnit;
}

export interface OwnUnit {
  readonly value: string;
  /** Returns the unit's name, made from the value's name. */
  readonly name: (value: string) => string;
}

/** Sums in integers of 64 bits, on an engine whose wide integers are slow. */
export interface NarrowSums {
  /** Whether as many integers as there may be rows, none larger than this in absolute value, add up to one of 64 bits. */
  readonly hold: (largest: bigint) => boolean;
  /** ⌊a/b⌋ of 64-bit integers a ≥ 0, b > 0. */
  readonly quotient: (a: string, b: string) => string;
}
