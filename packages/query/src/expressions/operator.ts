/** The allow-list. Every operator has a domain rule (operators/index.ts) and a total rendering in every dialect. */
export type Operator =
  | ArithmeticOperator
  | LogicOperator
  | ConditionalOperator
  | TextOperator
  | CastOperator
  | TimeOperator;

export type ArithmeticOperator =
  | "+"
  | "-"
  | "*"
  | "/"
  | "%"
  | "negate"
  | "abs"
  | "sign"
  | "floor"
  | "ceil"
  | "round"
  | "trunc"
  | "width_bucket"
  /** The number of ends behind which a number lies: {@link ./operators/bound-cells.ts}. No question can write it. */
  | "cell-among"
  | "sqrt"
  | "ln"
  | "log10"
  | "exp"
  | "power"
  | "least"
  | "greatest";

export type LogicOperator =
  | "="
  | "<>"
  | "<"
  | "<="
  | ">"
  | ">="
  | "is-distinct"
  | "is-not-distinct"
  | "and"
  | "or"
  | "not"
  | "is-null"
  | "is-not-null"
  | "is-true"
  | "is-false"
  | "in"
  | "like";

export type ConditionalOperator = "coalesce" | "nullif";

export type TextOperator =
  | "lower"
  | "upper"
  | "trim"
  | "ltrim"
  | "rtrim"
  | "length"
  | "left"
  | "right"
  | "substr"
  | "replace"
  | "strpos"
  | "split_part"
  | "initcap"
  | "concat"
  /** Whether a pattern of {@link ./patterns/pattern.ts} matches some part of a text. */
  | "matches"
  | "regexp_extract"
  | "regexp_replace";

export type CastOperator = "to-number" | "to-integer" | "to-text" | "to-boolean";

export type TimeOperator =
  | "to-date"
  | "to-timestamp"
  | "date-trunc"
  /** The start of the bucket of so many days and microseconds, counted from Monday 2000-01-03 on. */
  | "time-bucket"
  | "extract"
  | "add-interval"
  | "days-between";

/** Those that questions write between two expressions by their own names. */
export const symbols: readonly Operator[] = ["+", "-", "*", "/", "%", "=", "<>", "<", "<=", ">", ">="];

/** Those that work on released rows, too. */
export type PostOperator =
  | Exclude<ArithmeticOperator, "trunc" | "width_bucket" | "cell-among">
  | Exclude<LogicOperator, "is-distinct" | "is-not-distinct" | "is-true" | "is-false">
  | ConditionalOperator
  | "to-integer"
  | PostTextOperator
  | PostTimeOperator;

/** Of texts; `to-text` writes a number as the shortest decimal that is read back as the same double. */
export type PostTextOperator =
  | Exclude<TextOperator, "matches" | "regexp_extract" | "regexp_replace">
  | "to-text";

/** Of times as they are written, behind the literal that names a unit or a field. */
export type PostTimeOperator = "date-trunc" | "extract";
