import type { Node } from "@pgsql/types";
import type { Policy } from "../policy/policy.ts";
import { bindExpression } from "./bind-expression.ts";
import { demandType } from "./build-expression.ts";
import type { Expression } from "./expression.ts";
import { functionName, offsetOf } from "./nodes.ts";
import { refuse } from "./refuse.ts";
import {
  type JoinedKeys,
  type JoinRelation,
  ownerOf,
  type Relation,
  shownSources,
  sourcesRead,
  type TableRelation,
  tablesOf,
} from "./relation.ts";
import { resolveColumn, resolveName, type Scope, type ScopeColumn } from "./scope.ts";
import { writeColumn, writeName } from "./write-sql.ts";

/** A join as it is written: what is on both sides, and what must hold of a pair of rows. */
export interface StatedJoin {
  readonly type: JoinRelation["type"];
  readonly left: Scope;
  readonly right: Scope;
  /** Each must be true. */
  readonly conditions: readonly Node[];
  readonly using: readonly string[];
  /** Where it is written, or as near as the grammar says. */
  readonly offset: number | undefined;
}

/** Rows of public tables that one row may meet without an equality to find them by. */
const maxMet = 10_000;

/**
 * Two relations as one, if each row of it belongs to one unit. Errors: query.unsupported where rows of two units, or of
 * nobody, could meet; with the condition or the join that is accepted.
 */
export function bindJoin(stated: StatedJoin, policy: Policy): Scope {
  const { type, left, right, offset } = stated;
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
    if (one !== "unit") keys.push(one);
    return true;
  };

  const merged = stated.using.map((name) => {
    const [a, b] = [columnOf(name, left, offset), columnOf(name, right, offset)];
    const equal = pair(a, b)
      ? null
      : left.build.call("=", [a.expression(offset), b.expression(offset)], offset);
    if (equal) conditions.push(equal);
    return mergedColumn(type, a, b, left);
  });
  for (const node of stated.conditions) {
    const columns = equatedColumns(node, sides);
    const [a, b] = columns && isOf(columns[0], left) ? columns : [columns?.[1], columns?.[0]];
    if (a && b && isOf(a, left) && isOf(b, right) && pair(a, b)) continue;
    const condition = bindExpression(node, sides);
    demandType(condition, "boolean", offsetOf(node) ?? offset);
    if (!(condition.kind === "literal" && condition.value === true)) conditions.push(condition);
  }

  const on = conditions.length > 1 ? left.build.call("and", conditions, offset) : (conditions[0] ?? null);
  const relation: JoinRelation = { kind: "join", type, left: left.from, right: right.from, keys, on };
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

/** A condition's parts that must all be true. */
export function conjuncts(node: Node | undefined): readonly Node[] {
  if (!node) return [];
  const found: Node[] = [];
  const open = [node];
  for (let next = open.pop(); next; next = open.pop()) {
    if ("BoolExpr" in next && next.BoolExpr.boolop === "AND_EXPR")
      open.push(...[...(next.BoolExpr.args ?? [])].reverse());
    else found.push(next);
  }
  return found;
}

/** a = b, of two columns. */
export function equatedColumns(node: Node, scope: Scope): readonly [ScopeColumn, ScopeColumn] | null {
  if (!("A_Expr" in node) || node.A_Expr.kind !== "AEXPR_OP" || functionName(node.A_Expr.name) !== "=")
    return null;
  const { lexpr, rexpr } = node.A_Expr;
  if (!lexpr || !rexpr || !("ColumnRef" in lexpr) || !("ColumnRef" in rexpr)) return null;
  return [resolveColumn(lexpr.ColumnRef, scope), resolveColumn(rexpr.ColumnRef, scope)];
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
  return resolveColumn({ fields: [{ String: { sval: name } }], location: offset } as never, scope);
}

/** Where two columns hold keys of one thing, where those are found; "unit" where the join says so by itself. */
function keysOfOne(a: ScopeColumn, b: ScopeColumn): JoinedKeys | "unit" | null {
  if (!a.key || !b.key || a.key.of.table !== b.key.of.table || a.key.of.column !== b.key.of.column)
    return null;
  if (a.key.at && b.key.at) return { left: a.key.at, right: b.key.at };
  return a.isUnit && b.isUnit ? "unit" : null;
}

function mergedColumn(
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

function optionalSources({ sources }: Scope): Scope["sources"] {
  return sources.map((source) => ({ ...source, columns: source.columns.map(optional) }));
}

/** A column of the side of an outer join that may be missing: NULL there. */
function optional(column: ScopeColumn): ScopeColumn {
  return {
    ...column,
    isUnit: false,
    expression(offset) {
      const value = column.expression(offset);
      if (value.kind !== "column")
        refuse(
          "query.unsupported",
          `${JSON.stringify(column.name)} is computed in the part of an outer join that may be missing`,
          "show its columns there, and compute outside",
          offset,
        );
      return { ...value, domain: { ...value.domain, nullable: true } };
    },
  };
}

/** What keeps every row one unit's, and one unit's rows free of all others. */
function checkOwners(
  relation: JoinRelation,
  sameUnit: boolean,
  stated: StatedJoin,
  policy: Policy,
): JoinRelation {
  const [left, right] = [ownerOf(relation.left), ownerOf(relation.right)];
  if (left !== "public" && right !== "public") {
    if (!sameUnit) refuseStrangers(stated);
    return relation;
  }
  if (left !== "public" || right !== "public") checkKept(relation, stated);
  if (left === "row") return { ...relation, right: readOnce(relation, "right", stated, policy) };
  if (right === "row") return { ...relation, left: readOnce(relation, "left", stated, policy) };
  checkFanOut(relation, stated, policy);
  return relation;
}

/** Of two private sides, both must name their units, and in one way. */
function checkUnits({ left, right, offset }: StatedJoin): void {
  if (ownerOf(left.from) === "public" || ownerOf(right.from) === "public") return;
  const [a, b] = [owned(left.from), owned(right.from)];
  for (const { unit, table } of [a, b])
    if (unit.kind === "row")
      refuse(
        "query.unsupported",
        `each row of ${table} is a unit of its own, so no other row can be that unit's`,
        `name the unit in the policy, as unit: a_column, or ask ${writeName(table)} alone`,
        offset,
      );
  const [x, y] = [a, b].map(({ unit }) => (unit.kind === "column" ? unit.names : null));
  if (x?.table !== y?.table || x?.column !== y?.column)
    refuse(
      "query.unsupported",
      `nothing says that the units of ${a.table} and of ${b.table} are the same`,
      `declare it in the policy: below ${b.table}, unit: { through: a_column, references: ${x?.table}.${x?.column} }`,
      offset,
    );
}

function refuseStrangers(stated: StatedJoin): never {
  const [a, b] = [owned(stated.left.from), owned(stated.right.from)];
  return refuse(
    "query.unsupported",
    `rows of ${a.table} and ${b.table} are joined without the keys that make them one unit's`,
    keySuggestion(stated),
    stated.offset,
  );
}

/** The first table of a relation that has a unit. */
function owned(relation: Relation): TableRelation {
  return tablesOf(relation).find(({ unit }) => unit.kind !== "public")!;
}

function keySuggestion({ left, right }: StatedJoin): string {
  for (const a of left.sources)
    for (const b of right.sources)
      for (const x of a.columns)
        for (const y of b.columns)
          if (keysOfOne(x, y) !== null)
            return `write JOIN … ON ${writeColumn({ source: a.name, name: x.name })} = ${writeColumn({ source: b.name, name: y.name })}`;
  return "join them through the table that both refer to, and show its key in subqueries";
}

/** Unmatched public rows are nobody's, and whether a row is unmatched is everybody's doing. */
function checkKept({ type, left }: JoinRelation, { offset }: StatedJoin): void {
  const publicSide = ownerOf(left) === "public" ? "left" : "right";
  if (type === "inner" || (type !== "full" && type !== publicSide)) return;
  const table = publicSide === "left" ? tablesOf(left)[0]!.table : "the public table";
  refuse(
    "query.unsupported",
    `the join would keep rows of ${table} that no unit's row meets, and those are no unit's`,
    type === "full"
      ? `write ${publicSide === "left" ? "RIGHT" : "LEFT"} JOIN`
      : "write JOIN: public groups without rows are answered anyway where their key has categories",
    offset,
  );
}

/** Of rows that are units, each must meet one public row at most: the table is read once for each of its keys. */
function readOnce(
  relation: JoinRelation,
  side: "left" | "right",
  { offset }: StatedJoin,
  policy: Policy,
): TableRelation {
  const met = relation[side];
  const key = met.kind === "table" ? policy.tables[met.table]!.key : null;
  if (met.kind !== "table" || key === null || !findsBy(met, key, relation.on))
    refuse(
      "query.unsupported",
      `a row of ${owned(relation).table} is a unit, and may meet one row of ${tablesOf(met)[0]!.table} at most`,
      "declare the public table's key in the policy, and join on it: ON x = public_table.key",
      offset,
    );
  return { ...met, oncePer: key };
}

/** Whether a condition equates a table's key with something else. */
function findsBy({ source }: TableRelation, key: string, on: Expression | null): boolean {
  return (on === null ? [] : everyTrue(on)).some((condition) => {
    if (condition.kind !== "call" || condition.operator !== "=") return false;
    return [condition.args, [...condition.args].reverse()].some(
      ([side, other]) =>
        side?.kind === "column" &&
        side.source === source &&
        side.name === key &&
        other !== undefined &&
        !sourcesRead(other).has(source ?? ""),
    );
  });
}

function everyTrue(condition: Expression): readonly Expression[] {
  return condition.kind === "call" && condition.operator === "and" ? condition.args : [condition];
}

/** Without an equality to find them by, a row meets every row of the public side: there may be few. */
export function checkFanOut(
  relation: JoinRelation,
  { offset }: Pick<StatedJoin, "offset">,
  policy: Policy,
): void {
  const isPublic = (side: Relation): boolean => ownerOf(side) === "public";
  const names = (side: Relation): Set<string> =>
    new Set(shownSources(side).map(({ source }) => source ?? ""));
  const [left, right] = [names(relation.left), names(relation.right)];
  const reads = (expression: Expression | undefined, side: Set<string>): boolean => {
    const read = expression ? [...sourcesRead(expression)] : [];
    return read.length > 0 && read.every((source) => side.has(source));
  };
  const finds = (relation.on === null ? [] : everyTrue(relation.on)).some(
    (condition) =>
      condition.kind === "call" &&
      condition.operator === "=" &&
      ((reads(condition.args[0], left) && reads(condition.args[1], right)) ||
        (reads(condition.args[0], right) && reads(condition.args[1], left))),
  );
  if (finds) return;
  const isMade = isPublic(relation.left) && isPublic(relation.right);
  const met = isMade ? relation : isPublic(relation.right) ? relation.right : relation.left;
  const rows = tablesOf(met).reduce(
    (product, { table }) => product * (policy.tables[table]!.expectedRows ?? Number.POSITIVE_INFINITY),
    1,
  );
  if (rows <= maxMet) return;
  const { table } = tablesOf(met)[0]!;
  refuse(
    "query.unsupported",
    `every row would meet every row of ${table}, which may be many`,
    `join on an equality: ON x = ${writeName(table)}.y, or state expected_rows of at most ${maxMet} below ${table} in the policy`,
    offset,
  );
}
