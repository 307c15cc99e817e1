import type { SelectStmt } from "@pgsql/types";
import type { ParameterValue } from "./parameters.ts";

/** One SELECT as the PostgreSQL grammar read it. Every `location` in the tree is a UTF-16 index into `text`. */
export interface ParsedQuestion {
  /** The text as it was asked. */
  readonly text: string;
  /** The values of $1, $2 …, which stand in the tree as constants. */
  readonly parameters: readonly ParameterValue[];
  readonly select: SelectStmt;
  /** The options of WITH DIFFERENTIAL_PRIVACY OPTIONS(…), in order; resolving gives them their meaning. */
  readonly options: readonly StatedOption[];
  /** Whether EXPLAIN PRIVACY stands before it: then it asks for the plan, and must not be answered. */
  readonly explains: boolean;
}

export interface StatedOption {
  /** In lower case. */
  readonly name: string;
  /** The digits of a number, the content of a text, or a bare word in lower case. */
  readonly value: string;
  readonly kind: "number" | "text" | "word";
  /** UTF-16 index into the text. */
  readonly offset: number;
}
