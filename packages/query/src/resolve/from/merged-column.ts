import type { Expression } from "../../expressions/expression.ts";
import { refuse } from "../../refusals/refuse.ts";
import type { JoinRelation } from "../../relations/relation.ts";
import type { Scope, ScopeColumn } from "../names/scope.ts";

/** The one column that USING makes of two. */
export function mergedColumn(
  type: JoinRelation["type"],
  a: ScopeColumn,
  b: ScopeColumn,
  { build }: Scope,
): ScopeColumn {
  if (type === "right") return b;
  if (type !== "full") return a;
  const [left, right] = [optional(a), optional(b)];
  return {
    name: a.name,
    key: a.key && { of: a.key.of, at: null },
    isUnit: a.isUnit && b.isUnit,
    namesUnit: a.namesUnit && b.namesUnit,
    expression: (offset) =>
      a.isUnit && b.isUnit
        ? a.expression(offset)
        : build.call("coalesce", [left.expression(offset), right.expression(offset)], offset),
  };
}

/** The sources of the side of an outer join that may be missing. */
export function optionalSources({ sources }: Scope): Scope["sources"] {
  return sources.map((source) => ({ ...source, columns: source.columns.map(optional) }));
}

/** A column of the side of an outer join that may be missing: NULL there. */
export function optional(column: ScopeColumn): ScopeColumn {
  const { present } = column;
  return {
    ...column,
    isUnit: false,
    ...(present ? { present: (offset) => missing(present(offset)) } : {}),
    expression(offset) {
      const value = column.expression(offset);
      if (value.kind !== "column")
        refuse(
          "query.unsupported",
          `${JSON.stringify(column.name)} is computed in the part of an outer join that may be missing`,
          "show its columns there, and compute outside",
          offset,
        );
      return missing(value);
    },
  };
}

/** A value that may be missing. */
function missing(value: Expression): Expression {
  return { ...value, domain: { ...value.domain, nullable: true } };
}
