import type { SelectStmt } from "@pgsql/types";
import type { ParameterValue } from "./parameters.ts";

/** One SELECT as the PostgreSQL grammar read it. Every `location` in the tree is a UTF-16 index into `text`. */
export interface ParsedQuestion {
  /** The text as it was asked. */
  readonly text: string;
  /** The values of $1, $2 …, or of @name in the order of first appearance, which stand in the tree as constants. */
  readonly parameters: readonly ParameterValue[];
  readonly select: SelectStmt;
  /** The day, YYYY-MM-DD in UTC, which stands in the tree wherever the text asks for the present time. Absent where it does not. */
  readonly today?: string;
  /** The options of WITH DIFFERENTIAL_PRIVACY OPTIONS(…), in order; resolving gives them their meaning. */
  readonly options: readonly StatedOption[];
  /** Whether EXPLAIN PRIVACY stands before it: then it asks for the plan, and must not be answered. */
  readonly explains: boolean;
}

export interface StatedOption {
  /** In lower case. */
  readonly name: string;
  /** The digits of a number, or a fraction p/q; the content of a text; a bare word in lower case; the parts of a qualified name, with points between. */
  readonly value: string;
  /** A null states nothing: the option is as if it were left out. */
  readonly kind: "number" | "text" | "word" | "name" | "null";
  /** UTF-16 index into the text. */
  readonly offset: number;
}
