import type { Node, SelectStmt, SubLink } from "@pgsql/types";
import { demandType } from "../../expressions/build/build-expression.ts";
import { demandPossible } from "../../expressions/build/demand-possible.ts";
import type { Expression } from "../../expressions/expression.ts";
import { writeSql } from "../../expressions/write-sql.ts";
import { conjuncts } from "../../parse/conditions.ts";
import { refuse } from "../../refusals/refuse.ts";
import { ownerOf, type SemijoinRelation, tablesOf } from "../../relations/relation.ts";
import { resolveExpression } from "../expressions/resolve-expression.ts";
import { functionName, offsetOf } from "../names/nodes.ts";
import { resolveName, type Scope } from "../names/scope.ts";

/** Resolves FROM and the list of a subquery in a condition. */
export type InnerQuery = (
  select: SelectStmt,
  offset: number | undefined,
) => { readonly scope: Scope; readonly where: Node | undefined; readonly list: readonly Node[] };

/** [NOT] x [NOT] IN (SELECT …), [NOT] EXISTS (SELECT …). */
function subqueryOf(node: Node): { readonly link: SubLink; readonly not: boolean } | null {
  if ("SubLink" in node) return { link: node.SubLink, not: false };
  if (!("BoolExpr" in node) || node.BoolExpr.boolop !== "NOT_EXPR") return null;
  const [inner] = node.BoolExpr.args ?? [];
  const found = inner ? subqueryOf(inner) : null;
  return found && { ...found, not: !found.not };
}

/** Whether a condition asks a subquery, and asks nothing else. */
export function asksSubquery(node: Node): boolean {
  return subqueryOf(node) !== null;
}

/**
 * Keeps the rows of a scope for which a public subquery holds a row, or holds none. The filter depends on public data alone.
 * Errors: query.unsupported for a subquery over rows of units, for other forms, and for NOT IN where NULL could decide.
 */
export function resolveSemijoin(node: Node, outer: Scope, resolveInner: InnerQuery): Scope {
  const { link, not } = subqueryOf(node)!;
  const { subLinkType, testexpr, subselect } = link;
  const offset = offsetOf(node) ?? link.location;
  const isIn = subLinkType === "ANY_SUBLINK" && ["", "="].includes(functionName(link.operName));
  if (!(isIn || subLinkType === "EXISTS_SUBLINK") || !subselect || !("SelectStmt" in subselect))
    refuse(
      "query.unsupported",
      "a subquery in a condition is asked with IN or EXISTS",
      "write x IN (SELECT y FROM a_public_table), or EXISTS (SELECT 1 FROM a_public_table p WHERE p.y = x)",
      offset,
    );
  const { scope: inner, where, list } = resolveInner(subselect.SelectStmt, offset);
  demandPublic(inner, offset);
  const both = around(inner, outer);
  const conditions = conjuncts(where).map((condition) => {
    const resolved = resolveExpression(condition, both);
    demandType(resolved, "boolean", offsetOf(condition) ?? offset);
    if (!not) demandPossible(resolved, offsetOf(condition) ?? offset);
    return resolved;
  });
  if (isIn) conditions.unshift(membership(testexpr!, list, both, outer, not, offset));
  const on =
    conditions.length > 1
      ? outer.build.call("and", conditions, offset)
      : (conditions[0] ?? outer.build.literal(true));
  const relation: SemijoinRelation = { kind: "semijoin", of: outer.from, among: inner.from, on, not };
  return { ...outer, from: relation };
}

function demandPublic({ from }: Scope, offset: number | undefined): void {
  if (ownerOf(from) === "public") return;
  const { table } = tablesOf(from).find(({ unit }) => unit.kind !== "public")!;
  refuse(
    "query.unsupported",
    `whether a row is kept would depend on rows of ${table}, which may belong to another unit`,
    `join ${table} on the key that shows that both rows belong to one unit, or ask a public table`,
    offset,
  );
}

/** Returns a scope in which names of the subquery hide those around it. */
function around(inner: Scope, outer: Scope): Scope {
  const names = inner.sources.map(({ name }) => name);
  return {
    ...outer,
    sources: [...inner.sources, ...outer.sources.filter(({ name }) => resolveName(name, names) === null)],
    merged: [
      ...inner.merged,
      ...inner.sources.flatMap(({ columns }) => columns),
      ...outerMerged(inner, outer),
    ],
  };
}

/** Returns the columns that USING merged outside the subquery, but for those whose names the subquery has itself. */
function outerMerged(inner: Scope, { merged }: Scope): Scope["merged"] {
  const names = inner.sources.flatMap(({ columns }) => columns.map(({ name }) => name));
  return merged.filter(({ name }) => resolveName(name, names) === null);
}

/** x = y for the one column that the subquery shows. */
function membership(
  tested: Node,
  list: readonly Node[],
  both: Scope,
  outer: Scope,
  not: boolean,
  offset: number | undefined,
): Expression {
  const [shown, ...more] = list;
  if (!shown || more.length > 0 || "RowExpr" in tested)
    refuse(
      "query.unsupported",
      "IN compares one column",
      "write x IN (SELECT y FROM a_public_table), or EXISTS with several conditions",
      offset,
    );
  const [x, y] = [resolveExpression(tested, outer), resolveExpression(shown, both)];
  if (not && (x.domain.nullable || y.domain.nullable))
    refuse(
      "query.unsupported",
      `NOT IN keeps no row at all where ${writeSql(y.domain.nullable ? y : x)} is NULL`,
      `write NOT EXISTS (SELECT 1 FROM … WHERE ${writeSql(y)} = ${writeSql(x)}), which keeps rows that equal none`,
      offset,
    );
  return outer.build.call("=", [x, y], offset);
}
