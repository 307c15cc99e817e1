import type { Dialect } from "../../dialects/dialect.ts";
import { children, type Expression } from "../../expressions/expression.ts";
import { type JoinRelation, shownSources } from "../../relations/relation.ts";
import { join, named, type Query, rowsOf, type SelectColumn, select } from "../../sql/query.ts";
import { conditionText } from "./condition-text.ts";
import { keysMet, type RelationNames } from "./relation-names.ts";

/** A side of a join: its SELECT, and whether its rows name their unit. */
export interface JoinedSide {
  readonly query: Query;
  readonly isOwned: boolean;
}

/** The rows of a join as a SELECT. Rows of units meet rows of the same unit alone. */
export function pairedRows(
  relation: JoinRelation,
  left: JoinedSide,
  right: JoinedSide,
  names: RelationNames,
  dialect: Dialect,
): Query {
  const { write } = dialect;
  const { type, on } = relation;
  const ofLeft = new Set(names.shown(relation.left));
  const at = (name: string): string => `${ofLeft.has(name) ? "l" : "r"}.${name}`;
  const [a, b] = [left.isOwned, right.isOwned];
  const conditions = [
    ...(a && b ? [write.compare("l.u", "=", "r.u")] : []),
    ...keysMet(relation).map((pair) =>
      write.compare(at(names.ofKey(pair.left)), "=", at(names.ofKey(pair.right))),
    ),
    ...(on === null ? [] : [conditionText(on, relation, (column) => at(names.of(column)), dialect)]),
  ];
  const list = (of: (name: string) => string, owner: string | null): readonly SelectColumn[] => [
    ...names.shown(relation).map((name) => named(of(name), name)),
    ...(owner === null ? [] : [named(owner, "u")]),
  ];
  const met = conditions.length === 0 ? [write.truth(true)] : conditions;
  const owner = (both: string): string | null => (a && b ? both : a ? "l.u" : b ? "r.u" : null);
  if (type !== "full")
    return select(list(at, owner(unitOf[type])), rowsOf(left.query, "l"), {
      joins: [join(rowsOf(right.query, "r"), met, type)],
    });
  const ofRight = (name: string): string => (ofLeft.has(name) ? write.missing : at(name));
  const request = {
    left: left.query,
    right: right.query,
    on: met,
    isEquality: isEquality(relation),
    columns: list(at, owner(write.coalesce("l.u", "r.u"))),
    columnsOfRight: list(ofRight, a || b ? (b ? "r.u" : write.missing) : null),
  };
  return dialect.fullJoin(request, write);
}

/** Whether each condition of a join says that something of its left equals something of its right. */
function isEquality({ left, on }: JoinRelation): boolean {
  const ofLeft = new Set(shownSources(left).map(({ source }) => source));
  const sidesOf = (expression: Expression): readonly boolean[] =>
    expression.kind === "column"
      ? [ofLeft.has(expression.source ?? null)]
      : children(expression).flatMap(sidesOf);
  /** The one side that an expression reads; null where it reads none, or both. */
  const sideOf = (expression: Expression): boolean | null => {
    const [side, ...others] = sidesOf(expression);
    return side !== undefined && others.every((other) => other === side) ? side : null;
  };
  const holds = (condition: Expression): boolean => {
    if (condition.kind !== "call") return false;
    if (condition.operator === "and") return condition.args.every(holds);
    const read = condition.args.map(sideOf);
    return condition.operator === "=" && read.includes(true) && read.includes(false);
  };
  return on === null || holds(on);
}

/** The unit of rows of which at least the named side is there. */
const unitOf: Readonly<Record<Exclude<JoinRelation["type"], "full">, string>> = {
  inner: "l.u",
  left: "l.u",
  right: "r.u",
};
