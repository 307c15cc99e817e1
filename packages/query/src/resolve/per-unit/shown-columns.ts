import { elementAt } from "@lethe/core/numeric";
import type { ResTarget } from "@pgsql/types";
import { refuse } from "../../refusals/refuse.ts";
import { aggregateCall } from "../aggregates/resolve-aggregate.ts";
import { resolveExpression } from "../expressions/resolve-expression.ts";
import { ownCalls, part } from "../names/nodes.ts";
import { defaultName } from "../names/output-name.ts";
import { fieldNames, findColumn, resolveName, type Scope, type ScopeColumn } from "../names/scope.ts";
import { refuseAggregates } from "../names/subquery-clauses.ts";

/** The columns of one item of a subquery's list. */
export function shownColumns({ name, val, location }: ResTarget, scope: Scope): readonly ScopeColumn[] {
  for (const call of ownCalls(val)) if (aggregateCall({ FuncCall: call })) refuseAggregates(location);
  if (val && "ColumnRef" in val) {
    const parts = val.ColumnRef.fields ?? [];
    const last = parts.at(-1);
    if (last && "A_Star" in last) return starred(fieldNames(parts.slice(0, -1)) ?? [], scope, location);
    return [{ ...findColumn(val.ColumnRef, scope), ...(name === undefined ? {} : { name }) }];
  }
  const node = part(val);
  const value = resolveExpression(node, scope);
  return [
    { name: name ?? defaultName(node), expression: () => value, key: null, isUnit: false, namesUnit: false },
  ];
}

function starred(
  qualifier: readonly string[],
  scope: Scope,
  offset: number | undefined,
): readonly ScopeColumn[] {
  if (qualifier.length === 0) {
    const merged = scope.merged.map(({ name }) => name);
    const others = scope.sources.flatMap(({ columns }) => columns);
    return [...scope.merged, ...others.filter(({ name }) => resolveName(name, merged) === null)];
  }
  const source = scope.sources.find(({ name }) => resolveName(elementAt(qualifier, 0), [name]) !== null);
  if (!source)
    refuse(
      "query.unknown-table",
      `FROM has no table or alias ${JSON.stringify(qualifier[0])}`,
      "write *",
      offset,
    );
  return source.columns;
}
