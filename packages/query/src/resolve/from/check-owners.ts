import type { Expression } from "../../expressions/expression.ts";
import { writeColumn, writeName } from "../../expressions/write-sql.ts";
import { entryOf } from "../../policy/entry-of.ts";
import type { Policy } from "../../policy/policy.ts";
import { refuse } from "../../refusals/refuse.ts";
import {
  type JoinRelation,
  type ListRelation,
  listedWith,
  ownerOf,
  type Relation,
  sourcesRead,
  type TableRelation,
  tablesOf,
} from "../../relations/relation.ts";
import { keysOfOne, type StatedJoin } from "./stated-join.ts";

/**
 * Checks that each row of a join belongs to one unit, and that one unit's rows depend on no other unit. Returns the relation, in
 * which a public table that rows as units meet is read once for each of its keys. Errors: query.unsupported.
 */
export function checkOwners(
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
  return relation;
}

/** Refuses a join of two private sides unless both name their units, and by the same column. Errors: query.unsupported. */
export function checkUnits({ left, right, offset }: StatedJoin): void {
  if (ownerOf(left.from) === "public" || ownerOf(right.from) === "public") return;
  const [a, b] = [owned(left.from), owned(right.from)];
  for (const { unit, table } of [a, b])
    if (unit.kind === "row")
      refuse(
        "query.unsupported",
        `each row of ${table} is a unit of its own, so no other row can belong to that unit`,
        `name the unit in the policy, as unit: a_column, or ask ${writeName(table)} alone`,
        offset,
      );
  const [x, y] = [a, b].map(({ unit }) => (unit.kind === "column" ? unit.names : null));
  if (x?.table !== y?.table || x?.column !== y?.column)
    refuse(
      "query.unsupported",
      `the policy does not say that the units of ${a.table} and ${b.table} are the same`,
      `declare it in the policy: below ${b.table}, unit: { through: a_column, references: ${x?.table}.${x?.column} }`,
      offset,
    );
}

function refuseStrangers(stated: StatedJoin): never {
  const [a, b] = [owned(stated.left.from), owned(stated.right.from)];
  return refuse(
    "query.unsupported",
    `rows of ${a.table} and ${b.table} are joined without the keys that show that they belong to one unit`,
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

/** Refuses a FULL JOIN, which keeps unmatched public rows beside private ones: they belong to no unit, and whether a row is unmatched depends on every unit. */
function checkKept({ type, left }: JoinRelation, { offset }: StatedJoin): void {
  if (type !== "full") return;
  const publicSide = ownerOf(left) === "public" ? "left" : "right";
  const table = (publicSide === "left" && tablesOf(left)[0]?.table) || "the public table";
  refuse(
    "query.unsupported",
    `the join would keep rows of ${table} that match no unit's row, and so belong to no unit`,
    "write LEFT JOIN or RIGHT JOIN: the rows of units, or the groups of public rows",
    offset,
  );
}

/**
 * Returns the public side of a join with rows that are units, to be read once for each of its keys: each unit then meets at most
 * one of its rows. Errors: query.unsupported.
 */
function readOnce(
  relation: JoinRelation,
  side: "left" | "right",
  { offset }: StatedJoin,
  policy: Policy,
): TableRelation | ListRelation {
  const met = relation[side];
  if (
    met.kind === "list" &&
    met.names.some((name) => listedWith(met, name) === 1 && findsBy(met, name, relation.on))
  )
    return met;
  const key = met.kind === "table" ? entryOf(policy.tables, met.table).key : null;
  if (met.kind !== "table" || key === null || !findsBy(met, key, relation.on))
    refuse(
      "query.unsupported",
      `a row of ${owned(relation).table} is a unit, and may match at most one row of ${tablesOf(met)[0]?.table ?? "the list"}`,
      "declare the public table's key in the policy, and join on it: ON x = public_table.key",
      offset,
    );
  return { ...met, oncePer: key };
}

/** Whether a condition equates a table's key with something else. */
function findsBy(
  { source }: Pick<TableRelation | ListRelation, "source">,
  key: string,
  on: Expression | null,
): boolean {
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
