import { elementAt } from "@lethe/core/numeric";
import type { Node, SelectStmt } from "@pgsql/types";
import type { Expression } from "../../expressions/expression.ts";
import { writeSql } from "../../expressions/write-sql.ts";
import { refuse } from "../../refusals/refuse.ts";
import { aggregateCall } from "../aggregates/resolve-aggregate.ts";
import { resolveExpression } from "../expressions/resolve-expression.ts";
import { offsetOf } from "../names/nodes.ts";
import type { NamedKey } from "../names/resolved-query.ts";
import { fieldNames, hasColumn, type Scope } from "../names/scope.ts";
import { aliased, ordinal, type Target } from "../names/targets.ts";
import { groupingSets } from "./grouping-sets.ts";

const maxKeys = 20;

/** Resolves GROUP BY. Returns the keys, and for each grouping the names of its keys, in their order. */
export function resolveKeys(
  select: SelectStmt,
  targets: readonly Target[],
  scope: Scope,
): { readonly keys: readonly NamedKey[]; readonly groupings: readonly (readonly string[])[] } {
  const keys = new Map<string, Expression>();
  const sets = groupingSets(select.groupClause);
  const named = new Map<Node, string>();
  for (const item of new Set(sets.flat())) {
    const alias = aliased(item, targets);
    const isColumn =
      alias !== null &&
      hasColumn(
        elementAt(fieldNames((item as { ColumnRef: { fields?: Node[] } }).ColumnRef.fields)!, 0),
        scope,
      );
    const node = ordinal(item, targets, "GROUP BY")?.node ?? (isColumn ? item : (alias?.node ?? item));
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
    const name = writeSql(key);
    keys.set(name, key);
    named.set(item, name);
  }
  if (keys.size > maxKeys)
    refuse("query.too-large", `more than ${maxKeys} groupings`, "group by fewer columns");
  const groupings = sets.map((set) => {
    const names = new Set(set.map((item) => named.get(item)));
    return [...keys.keys()].filter((name) => names.has(name));
  });
  return { keys: [...keys].map(([name, expression]) => ({ name, expression })), groupings };
}
