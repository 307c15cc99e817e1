import type { BoundQuery } from "../bind/bound-query.ts";
import { children, type Expression } from "../bind/expression.ts";
import { conditionsOf, mapTables, type Relation } from "../bind/relation.ts";

/** The question's rows with those columns alone that it reads, in order of name. */
export function referencedColumns({ from, where, groupBy, aggregates }: BoundQuery): Relation {
  const read = new Map<string | null, Set<string>>();
  const visit = (expression: Expression): void => {
    if (expression.kind === "column") {
      const source = expression.source ?? null;
      read.set(source, (read.get(source) ?? new Set()).add(expression.name));
    }
    for (const child of children(expression)) visit(child);
  };
  conditionsOf(from).forEach(visit);
  if (where) visit(where);
  groupBy.forEach(visit);
  for (const aggregate of aggregates) {
    if ("argument" in aggregate && aggregate.argument) visit(aggregate.argument);
    if ("other" in aggregate) visit(aggregate.other);
  }
  return mapTables(from, (table) => {
    const names = new Set(read.get(table.source));
    // Read once for each value of it.
    if (table.oncePer !== null) names.add(table.oncePer);
    return {
      ...table,
      columns: Object.fromEntries([...names].sort().map((name) => [name, table.columns[name]!])),
    };
  });
}
