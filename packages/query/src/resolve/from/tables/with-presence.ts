import { elementAt } from "@lethe/core/numeric";
import type { ColumnRef, SelectStmt } from "@pgsql/types";
import { ownerOf } from "../../../relations/relation.ts";
import { nodesOf } from "../../names/nodes.ts";
import { fieldNames, type Scope, type ScopeColumn } from "../../names/scope.ts";
import { resolveUnion } from "./resolve-union.ts";

/** The columns that a SELECT names outside its FROM: by themselves, or behind a table. In lower case. */
export function namedColumns(select: SelectStmt): ReadonlySet<string> {
  const { fromClause: _, withClause: __, ...rest } = select;
  const found = new Set<string>();
  for (const { fields } of nodesOf<ColumnRef>("ColumnRef", rest)) {
    const names = fieldNames(fields);
    if (names) found.add(names.join(".").toLowerCase());
  }
  return found;
}

/**
 * Returns a side of an outer join with a column that is true in all of its rows, where the question asks for the side's own unit: behind
 * the join, the unit is there where that column is. Other scopes are returned as they are.
 */
export function withPresence(
  scope: Scope,
  asked: ReadonlySet<string>,
  source: (name: string) => string,
  offset: number | undefined,
): Scope {
  const [only, ...others] = scope.sources;
  if (!only || others.length > 0 || scope.merged.length > 0 || ownerOf(scope.from) !== "column") return scope;
  const isAsked = ({ name, isUnit }: ScopeColumn): boolean =>
    isUnit && [name, `${only.name}.${name}`].some((written) => asked.has(written.toLowerCase()));
  if (!only.columns.some(isAsked)) return scope;
  const present: ScopeColumn = {
    name: "present",
    key: null,
    isUnit: false,
    namesUnit: false,
    expression: () => scope.build.literal(true),
  };
  const within = { ...scope, sources: [{ ...only, columns: [...only.columns, present] }] };
  const made = resolveUnion(only.name, source(only.name), [within], offset);
  const columns = made.sources[0]!.columns.slice(0, -1);
  const { expression } = made.sources[0]!.columns.at(-1)!;
  return {
    ...made,
    sources: [
      {
        name: only.name,
        columns: columns.map((column, at) => {
          if (column.isUnit) return { ...column, present: expression };
          const { key } = elementAt(only.columns, at);
          return { ...column, key: key && { of: key.of, at: null } };
        }),
      },
    ],
  };
}
