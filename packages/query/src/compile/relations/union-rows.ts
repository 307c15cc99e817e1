import type { Dialect } from "../../dialects/dialect.ts";
import type { ColumnExpression } from "../../expressions/expression.ts";
import { entryOf } from "../../policy/entry-of.ts";
import type { Relation, UnionRelation } from "../../relations/relation.ts";
import { named, type Query, rowsOf, select, unionAll } from "../../sql/query.ts";
import { compileExpression } from "../stored/compile-expression.ts";
import { keptText } from "../stored/kept-text.ts";
import { reader } from "../stored/stored-reader.ts";
import type { RelationNames } from "./relation-names.ts";

/**
 * The rows of all parts of a union, each part's by `queryOf`. Values of each part first, then where the union's columns keep them: to put
 * a number on a grid names it often.
 */
export function unionRows(
  { source, columns, parts }: UnionRelation,
  queryOf: (part: Relation) => Query,
  names: RelationNames,
  dialect: Dialect,
): Query {
  return unionAll(
    parts.map(({ of, values }) => {
      const stored = (column: ColumnExpression): string => `part.${names.of(column)}`;
      const read = reader(of, stored, dialect);
      const columnsAt = Object.entries(columns).map(
        ([name, column]) => [names.ofSource(source, name), entryOf(values, name), column] as const,
      );
      const computed = columnsAt.map(([at, value]) => named(compileExpression(value, read, dialect), at));
      const kept = columnsAt.map(([at, , column]) => named(keptText(column, `value.${at}`, dialect), at));
      const inner = select([...computed, named("part.u", "u")], rowsOf(queryOf(of), "part"), { once: true });
      return select([...kept, named("value.u", "u")], rowsOf(inner, "value"));
    }),
  );
}
