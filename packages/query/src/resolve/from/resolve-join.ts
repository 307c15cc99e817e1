import type { Node } from "@pgsql/types";
import { demandType } from "../../expressions/build/build-expression.ts";
import { demandPossible } from "../../expressions/build/demand-possible.ts";
import type { Expression } from "../../expressions/expression.ts";
import { writeName } from "../../expressions/write-sql.ts";
import type { Policy } from "../../policy/policy.ts";
import { refuse } from "../../refusals/refuse.ts";
import { type JoinedKeys, type JoinRelation, keptSources, ownerOf } from "../../relations/relation.ts";
import { resolveCondition } from "../conditions/resolve-condition.ts";
import { functionName, offsetOf } from "../names/nodes.ts";
import { findColumn, resolveName, type Scope, type ScopeColumn } from "../names/scope.ts";
import { checkOwners, checkUnits } from "./check-owners.ts";
import { mergedColumn, optional, optionalSources } from "./merged-column.ts";
import { keysOfOne, type StatedJoin } from "./stated-join.ts";

/**
 * Two relations as one, if each row of it belongs to one unit. Errors: query.unsupported where rows of two units, or of
 * nobody, could meet; with the condition or the join that is accepted.
 */
export function resolveJoin(stated: StatedJoin, policy: Policy): Scope {
  const { left, right, offset } = stated;
  const keeps = keptSide(stated);
  const type = keeps === null ? stated.type : "inner";
  checkNames(stated);
  checkUnits(stated);
  const sides: Scope = {
    ...left,
    sources: [...left.sources, ...right.sources],
    merged: [...left.merged, ...right.merged],
  };
  const keys: JoinedKeys[] = [];
  const conditions: Expression[] = [];
  let sameUnit = false;
  const pair = (a: ScopeColumn, b: ScopeColumn): boolean => {
    const one = keysOfOne(a, b);
    if (one === null) return false;
    sameUnit = true;
    if (one === "value") return false;
    if (one !== "unit") keys.push(one);
    return true;
  };

  const merged = stated.using.map((name) => {
    const [a, b] = [columnOf(name, left, offset), columnOf(name, right, offset)];
    const equal = pair(a, b)
      ? null
      : left.build.call("=", [a.expression(offset), b.expression(offset)], offset);
    if (equal) conditions.push(equal);
    return mergedColumn(stated.type, a, b, left);
  });
  for (const node of stated.conditions) {
    const columns = equatedColumns(node, sides);
    const [a, b] = columns && isOf(columns[0], left) ? columns : [columns?.[1], columns?.[0]];
    if (a && b && isOf(a, left) && isOf(b, right) && pair(a, b)) continue;
    const condition = resolveCondition(node, sides, [left.from, right.from]);
    demandType(condition, "boolean", offsetOf(node) ?? offset);
    if (stated.type === "inner") demandPossible(condition, offsetOf(node) ?? offset);
    if (!(condition.kind === "literal" && condition.value === true)) conditions.push(condition);
  }

  const on = conditions.length > 1 ? left.build.call("and", conditions, offset) : (conditions[0] ?? null);
  const relation: JoinRelation = {
    ...{ kind: "join", type, left: left.from, right: right.from, keys, on },
    ...(keeps === null ? {} : { keeps }),
  };
  const checked = checkOwners(relation, sameUnit, stated, policy);
  return {
    from: checked,
    sources: [
      ...(type === "right" || type === "full" ? optionalSources(left) : left.sources),
      ...(type === "left" || type === "full" ? optionalSources(right) : right.sources),
    ],
    merged: [
      ...merged,
      ...(type === "right" || type === "full" ? left.merged.map(optional) : left.merged),
      ...(type === "left" || type === "full" ? right.merged.map(optional) : right.merged),
    ].filter(({ name }, at, all) => all.findIndex((other) => other.name === name) === at),
    build: left.build,
  };
}

/**
 * Returns the side whose public rows an outer join keeps: the groups of these are answered, whatever private rows meet them. Null where it keeps none. Errors:
 * query.unsupported where another join would leave out some of the groups that one before it keeps.
 */
function keptSide({ type, left, right, offset }: StatedJoin): "left" | "right" | null {
  const before = keptSources(left.from) !== null ? "left" : keptSources(right.from) !== null ? "right" : null;
  if (before !== null && type !== before)
    refuse(
      "query.unsupported",
      "a join would leave out groups of public rows that an outer join keeps",
      `write ${before.toUpperCase()} JOIN, with the public rows on its ${before} side`,
      offset,
    );
  if (type !== "left" && type !== "right") return null;
  const [kept, met] = type === "left" ? [left, right] : [right, left];
  return ownerOf(kept.from) === "public" && ownerOf(met.from) !== "public" ? type : null;
}

/** a = b, of two columns. */
export function equatedColumns(node: Node, scope: Scope): readonly [ScopeColumn, ScopeColumn] | null {
  if (!("A_Expr" in node) || node.A_Expr.kind !== "AEXPR_OP" || functionName(node.A_Expr.name) !== "=")
    return null;
  const { lexpr, rexpr } = node.A_Expr;
  if (!lexpr || !rexpr || !("ColumnRef" in lexpr) || !("ColumnRef" in rexpr)) return null;
  return [findColumn(lexpr.ColumnRef, scope), findColumn(rexpr.ColumnRef, scope)];
}

export function isOf(column: ScopeColumn, { sources, merged }: Scope): boolean {
  return merged.includes(column) || sources.some(({ columns }) => columns.includes(column));
}

function checkNames({ left, right, offset }: StatedJoin): void {
  const known = left.sources.map(({ name }) => name);
  for (const { name } of right.sources)
    if (resolveName(name, known) !== null)
      refuse(
        "query.unsupported",
        `FROM names ${JSON.stringify(name)} twice`,
        `give each its own name: ${writeName(name)} AS a JOIN ${writeName(name)} AS b`,
        offset,
      );
}

function columnOf(name: string, scope: Scope, offset: number | undefined): ScopeColumn {
  return findColumn({ fields: [{ String: { sval: name } }], location: offset } as never, scope);
}
