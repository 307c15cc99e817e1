import { elementAt } from "@lethe/core/numeric";
import type { Node, SelectStmt, SubLink } from "@pgsql/types";
import { demandType } from "../../expressions/build/build-expression.ts";
import { demandPossible } from "../../expressions/build/demand-possible.ts";
import type { Expression } from "../../expressions/expression.ts";
import { writeSql } from "../../expressions/write-sql.ts";
import { conjuncts } from "../../parse/tree/conditions.ts";
import { refuse } from "../../refusals/refuse.ts";
import { type JoinedKeys, ownerOf, tablesOf } from "../../relations/relation.ts";
import { resolveCondition } from "../conditions/resolve-condition.ts";
import { resolveExpression } from "../expressions/resolve-expression.ts";
import { functionName, offsetOf } from "../names/nodes.ts";
import { findColumn, resolveName, type Scope, type ScopeColumn } from "../names/scope.ts";
import { checkUnits } from "./check-owners.ts";
import { equatedColumns, isOf } from "./resolve-join.ts";
import { keysOfOne } from "./stated-join.ts";

/** Resolves FROM and the list of a subquery in a condition. */
export type InnerQuery = (
  select: SelectStmt,
  offset: number | undefined,
) => { readonly scope: Scope; readonly where: Node | undefined; readonly list: readonly Node[] };

/** The rows among which others look, and what a pair of rows must meet. */
export interface Looked {
  readonly inner: Scope;
  /** Whether these rows belong to units, so that those of the same unit alone meet. */
  readonly isOwned: boolean;
  readonly keys: readonly JoinedKeys[];
  readonly conditions: readonly Expression[];
}

/** What decides how a subquery is read: whether it stands under NOT, and whether NULL would mean the same as false there. */
export interface LookedAs {
  readonly not: boolean;
  readonly nullIsFalse: boolean;
}

/**
 * Resolves a subquery that is asked whether it has rows. Its rows are public, or belong to the units of the rows around it, and a
 * condition says so. Errors: query.unsupported for rows that may belong to other units, for other forms, and for IN where NULL
 * could decide.
 */
export function resolveLooked(
  link: SubLink,
  outer: Scope,
  resolveInner: InnerQuery,
  as: LookedAs,
  offset: number | undefined,
): Looked {
  const { subLinkType, testexpr, subselect } = link;
  const isIn = subLinkType === "ANY_SUBLINK" && ["", "="].includes(functionName(link.operName));
  if (!(isIn || subLinkType === "EXISTS_SUBLINK") || !subselect || !("SelectStmt" in subselect))
    refuse(
      "query.unsupported",
      "a subquery in a condition is asked with IN or EXISTS",
      "write x IN (SELECT y FROM …), or EXISTS (SELECT 1 FROM … WHERE y = x)",
      offset,
    );
  const select = isIn ? subselect.SelectStmt : withoutLimit(subselect.SelectStmt);
  const { scope: inner, where, list } = resolveInner(select, offset);
  const isOwned = ownerOf(inner.from) !== "public";
  if (isOwned) demandUnits(inner, outer, offset);
  const both = around(inner, outer);
  const keys: JoinedKeys[] = [];
  const conditions: Expression[] = [];
  let sameUnit = false;
  const pair = (x: ScopeColumn | undefined, y: ScopeColumn | undefined): boolean => {
    if (!x || !y || !isOwned || !isOf(x, outer) || !isOf(y, inner)) return false;
    const one = keysOfOne(x, y);
    if (one === null) return false;
    sameUnit = true;
    if (one === "value") return false;
    if (one !== "unit") keys.push(one);
    return true;
  };
  if (isIn)
    for (const [tested, shown] of compared(testexpr!, list, offset)) {
      if (pair(columnOf(tested, outer), columnOf(shown, both))) continue;
      const [x, y] = [resolveExpression(tested, outer), resolveExpression(shown, both)];
      if (!as.nullIsFalse && (x.domain.nullable || y.domain.nullable)) refuseNulls(x, y, as, offset);
      conditions.push(outer.build.call("=", [x, y], offset));
    }
  for (const condition of conjuncts(where)) {
    const columns = equatedColumns(condition, both);
    if (columns && (pair(columns[0], columns[1]) || pair(columns[1], columns[0]))) continue;
    const resolved = resolveCondition(condition, both, [outer.from, inner.from]);
    demandType(resolved, "boolean", offsetOf(condition) ?? offset);
    if (!as.not) demandPossible(resolved, offsetOf(condition) ?? offset);
    conditions.push(resolved);
  }
  if (isOwned && !sameUnit) refuseStrangers(inner, offset);
  return { inner, isOwned, keys, conditions };
}

/** EXISTS finds a row among the first ones wherever it finds one at all. */
function withoutLimit(select: SelectStmt): SelectStmt {
  const { limitCount, limitOption, ...rest } = select;
  const isAtLeastOne = limitCount && "A_Const" in limitCount && (limitCount.A_Const.ival?.ival ?? 0) >= 1;
  return isAtLeastOne && limitOption === "LIMIT_OPTION_COUNT"
    ? { ...rest, limitOption: "LIMIT_OPTION_DEFAULT" }
    : select;
}

function columnOf(node: Node, scope: Scope): ScopeColumn | undefined {
  return "ColumnRef" in node ? findColumn(node.ColumnRef, scope) : undefined;
}

/** Refuses rows of units that may look among those of others. */
function demandUnits(inner: Scope, outer: Scope, offset: number | undefined): void {
  if (ownerOf(outer.from) === "public") refuseStrangers(inner, offset);
  checkUnits({ type: "inner", left: outer, right: inner, conditions: [], using: [], offset });
}

function refuseStrangers({ from }: Scope, offset: number | undefined): never {
  const { table } = tablesOf(from).find(({ unit }) => unit.kind !== "public")!;
  return refuse(
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
    marks: inner.marks ?? new Map(),
  };
}

/** Returns the columns that USING merged outside the subquery, but for those whose names the subquery has itself. */
function outerMerged(inner: Scope, { merged }: Scope): Scope["merged"] {
  const names = inner.sources.flatMap(({ columns }) => columns.map(({ name }) => name));
  return merged.filter(({ name }) => resolveName(name, names) === null);
}

/** Returns what IN compares: each value on its left with a column of the subquery. */
function compared(
  tested: Node,
  list: readonly Node[],
  offset: number | undefined,
): readonly (readonly [Node, Node])[] {
  const values = "RowExpr" in tested ? (tested.RowExpr.args ?? []) : [tested];
  if (values.length !== list.length || values.length === 0)
    refuse(
      "query.unsupported",
      "IN compares as many values as its subquery shows",
      "write x IN (SELECT y FROM …), or (a, b) IN (SELECT c, d FROM …)",
      offset,
    );
  return values.map((value, at) => [value, elementAt(list, at)]);
}

function refuseNulls(x: Expression, y: Expression, { not }: LookedAs, offset: number | undefined): never {
  const exists = `EXISTS (SELECT 1 FROM … WHERE ${writeSql(y)} = ${writeSql(x)})`;
  return refuse(
    "query.unsupported",
    not
      ? `NOT IN keeps no row at all where ${writeSql(y.domain.nullable ? y : x)} is NULL`
      : `IN is neither true nor false where ${writeSql(y.domain.nullable ? y : x)} is NULL`,
    not ? `write NOT ${exists}, which keeps rows that equal none` : `write ${exists}`,
    offset,
  );
}
