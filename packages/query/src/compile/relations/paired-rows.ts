import type { Dialect } from "../../dialects/dialect.ts";
import { children, type Expression } from "../../expressions/expression.ts";
import { type JoinRelation, shownSources } from "../../relations/relation.ts";
import {
  type JoinType,
  join,
  named,
  type Query,
  rowsOf,
  type SelectColumn,
  select,
  unionAll,
} from "../../sql/query.ts";
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
  const both = (): string => (type === "full" ? write.coalesce("l.u", "r.u") : unitOf[type]);
  const unit = a && b ? both() : a ? "l.u" : b ? "r.u" : null;
  const list = (of: (name: string) => string, owner: string | null): readonly SelectColumn[] => [
    ...names.shown(relation).map((name) => named(of(name), name)),
    ...(owner === null ? [] : [named(owner, "u")]),
  ];
  const condition = conditions.length === 0 ? [write.truth(true)] : conditions;
  const [l, r] = [rowsOf(left.query, "l"), rowsOf(right.query, "r")];
  const joined = (as: JoinType): Query => select(list(at, unit), l, { joins: [join(r, condition, as)] });
  if (type !== "full" || dialect.fullJoinsOnAnything || isEquality(relation)) return joined(type);
  // The same rows in two parts: all of the left, and those of the right that meet none of them.
  const alone = list(
    (name) => (ofLeft.has(name) ? write.missing : at(name)),
    unit === null ? null : b ? "r.u" : write.missing,
  );
  const met = write.exists(select(["1"], l, { where: condition }));
  return unionAll([joined("left"), select(alone, r, { where: [write.not(met)] })]);
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

/** The unit of rows of which at least the named side is there. */
const unitOf: Readonly<Record<Exclude<JoinType, "full">, string>> = {
  inner: "l.u",
  left: "l.u",
  right: "r.u",
};
