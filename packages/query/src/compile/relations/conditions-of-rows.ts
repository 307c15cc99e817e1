import type { Dialect } from "../../dialects/dialect.ts";
import { compileExpression } from "../stored/compile-expression.ts";
import type { PlannedRows, RowSource } from "./row-source.ts";

/** The conditions that the rows of a source have yet to meet to be those that a plan is about: the source's own, and the question's. */
export function conditionsOfRows(
  { where }: Pick<PlannedRows, "where">,
  source: RowSource,
  dialect: Dialect,
): readonly string[] {
  return [...source.conditions, ...(where === null ? [] : [compileExpression(where, source, dialect)])];
}
