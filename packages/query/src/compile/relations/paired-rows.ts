import type { Dialect } from "../../dialects/dialect.ts";
import { children, type Expression } from "../../expressions/expression.ts";
import { type JoinRelation, shownSources } from "../../relations/relation.ts";
import { conditionText } from "./condition-text.ts";
import { keysMet, type RelationNames } from "./relation-names.ts";

/** A side of a join: its SELECT, and whether its rows name their unit. */
export interface JoinedSide {
  readonly sql: string;
  readonly isOwned: boolean;
}

/** The rows of a join as a SELECT. Rows of units meet rows of the same unit alone. */
export function pairedRows(
  relation: JoinRelation,
  left: JoinedSide,
  right: JoinedSide,
  names: RelationNames,
  dialect: Dialect,
): string {
  const { type, on } = relation;
  const ofLeft = new Set(names.shown(relation.left));
  const at = (name: string): string => `${ofLeft.has(name) ? "l" : "r"}.${name}`;
  const [a, b] = [left.isOwned, right.isOwned];
  const conditions = [
    ...(a && b ? ["l.u = r.u"] : []),
    ...keysMet(relation).map((pair) => `${at(names.ofKey(pair.left))} = ${at(names.ofKey(pair.right))}`),
    ...(on === null ? [] : [conditionText(on, relation, (column) => at(names.of(column)), dialect)]),
  ];
  const unit = a && b ? units[type] : a ? "l.u" : b ? "r.u" : null;
  const list = (of: (name: string) => string, owner: string | null): string => {
    const columns = names.shown(relation).map((name) => `${of(name)} AS ${name}`);
    const all = [...columns, ...(owner === null ? [] : [`${owner} AS u`])];
    return all.length === 0 ? "1 AS nothing" : all.join(", ");
  };
  const condition = conditions.length === 0 ? "TRUE" : conditions.join(" AND ");
  const [l, r] = [`(${left.sql}) AS l`, `(${right.sql}) AS r`];
  const joined = (kind: string): string =>
    `SELECT ${list(at, unit)} FROM ${l} ${kind} JOIN ${r} ON ${condition}`;
  if (type !== "full" || dialect.fullJoinsOnAnything || isEquality(relation))
    return joined(type.toUpperCase());
  // The same rows in two parts: all of the left, and those of the right that meet none of them.
  const alone = list(
    (name) => (ofLeft.has(name) ? "NULL" : at(name)),
    unit === null ? null : b ? "r.u" : "NULL",
  );
  return `${joined("LEFT")} UNION ALL SELECT ${alone} FROM ${r} WHERE NOT EXISTS (SELECT 1 FROM ${l} WHERE ${condition})`;
}

/** Whether each condition of a join says that something of its left equals something of its right. */
function isEquality({ left, on }: JoinRelation): boolean {
  const ofLeft = new Set(shownSources(left).map(({ source }) => source));
  const sides = (expression: Expression): ReadonlySet<boolean> =>
    expression.kind === "column"
      ? new Set([ofLeft.has(expression.source ?? null)])
      : new Set(children(expression).flatMap((part) => [...sides(part)]));
  const holds = (condition: Expression): boolean => {
    if (condition.kind !== "call") return false;
    if (condition.operator === "and") return condition.args.every(holds);
    const [a, b] = condition.args.map(sides);
    return condition.operator === "=" && a!.size === 1 && b!.size === 1 && [...a!][0] !== [...b!][0];
  };
  return on === null || holds(on);
}

const units: Readonly<Record<JoinRelation["type"], string>> = {
  inner: "l.u",
  left: "l.u",
  right: "r.u",
  full: "coalesce(l.u, r.u)",
};
