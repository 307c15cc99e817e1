import type { SelectStmt } from "@pgsql/types";
import type { ParameterValue } from "./parameters.ts";

/** One SELECT as the PostgreSQL grammar read it. Every `location` in the tree is a UTF-16 index into `text`. */
export interface ParsedQuestion {
  /** As it was asked. */
  readonly text: string;
  /** The values of $1, $2 …, which stand in the tree as constants. */
  readonly parameters: readonly ParameterValue[];
  readonly select: SelectStmt;
  /** From WITH DIFFERENTIAL_PRIVACY OPTIONS(…), in order; meaning is given by bind. */
  readonly options: readonly StatedOption[];
  /** EXPLAIN PRIVACY stands before it: it asks for the plan, and must not be answered. */
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
