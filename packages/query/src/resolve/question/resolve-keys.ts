import { elementAt } from "@lethe/core/numeric";
import type { Node, SelectStmt } from "@pgsql/types";
import type { Expression } from "../../expressions/expression.ts";
import { writeSql } from "../../expressions/write-sql.ts";
import { atKey } from "../../policy/entry-of.ts";
import { refuse } from "../../refusals/refuse.ts";
import { aggregateCall } from "../aggregates/resolve-aggregate.ts";
import { resolveExpression } from "../expressions/resolve-expression.ts";
import { offsetOf } from "../names/nodes.ts";
import { fieldNames, hasColumn, type Scope } from "../names/scope.ts";
import { aliased, ordinal, type Target } from "../names/targets.ts";
import { groupingSets } from "./grouping-sets.ts";

const maxKeys = 20;

/** Resolves GROUP BY. Returns the keys by their SQL, and for each grouping the places of its keys. */
export function resolveKeys(
  select: SelectStmt,
  targets: readonly Target[],
  scope: Scope,
): { readonly keys: ReadonlyMap<string, Expression>; readonly groupings: readonly (readonly number[])[] } {
  const keys = new Map<string, Expression>();
  const sets = groupingSets(select.groupClause);
  const places = new Map<Node, number>();
  for (const item of new Set(sets.flat())) {
    const named = aliased(item, targets);
    const isColumn =
      named !== null &&
      hasColumn(
        elementAt(fieldNames((item as { ColumnRef: { fields?: Node[] } }).ColumnRef.fields)!, 0),
        scope,
      );
    const node = ordinal(item, targets, "GROUP BY")?.node ?? (isColumn ? item : (named?.node ?? item));
    if (aggregateCall(node))
      refuse(
        "query.unsupported",
        "a question cannot group by an aggregate",
        "group by columns, and filter with HAVING",
        offsetOf(item),
      );
    const key = resolveExpression(node, scope);
    if (key.kind === "literal")
      refuse("query.unsupported", "a constant does not make groups", "group by a column", offsetOf(item));
    const sql = writeSql(key);
    keys.set(sql, key);
    places.set(item, [...keys.keys()].indexOf(sql));
  }
  if (keys.size > maxKeys)
    refuse("query.too-large", `more than ${maxKeys} groupings`, "group by fewer columns");
  const groupings = sets.map((set) =>
    [...new Set(set.map((item) => atKey(places, item)))].sort((a, b) => a - b),
  );
  return { keys, groupings };
}
