import type { Dialect } from "../../dialects/dialect.ts";
import type { ColumnExpression } from "../../expressions/expression.ts";
import type { Relation, UnionRelation } from "../../relations/relation.ts";
import { compileExpression } from "../stored/compile-expression.ts";
import { keptText } from "../stored/kept-text.ts";
import { reader } from "../stored/stored-reader.ts";
import type { RelationNames } from "./relation-names.ts";

/**
 * The rows of all parts of a union, each part's by `select`. Values of each part first, then where the union's columns keep them: to put
 * a number on a grid names it often.
 */
export function unionRows(
  { source, columns, parts }: UnionRelation,
  select: (part: Relation) => string,
  names: RelationNames,
  dialect: Dialect,
): string {
  return parts
    .map(({ of, values }) => {
      const stored = (column: ColumnExpression): string => `part.${names.of(column)}`;
      const read = reader(of, stored, dialect);
      const named = Object.entries(columns).map(
        ([name, column]) => [names.ofSource(source, name), values[name]!, column] as const,
      );
      const computed = named.map(([at, value]) => `${compileExpression(value, read, dialect)} AS ${at}`);
      const kept = named.map(([at, , column]) => `${keptText(column, `value.${at}`, dialect)} AS ${at}`);
      const inner = `SELECT ${[...computed, "part.u AS u"].join(", ")} FROM (${select(of)}) AS part${dialect.fence}`;
      return `SELECT ${[...kept, "value.u AS u"].join(", ")} FROM (${inner}) AS value`;
    })
    .join(" UNION ALL ");
}
