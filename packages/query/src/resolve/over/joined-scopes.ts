import type { Node } from "@pgsql/types";
import type { PostExpression } from "../../aggregates/post-expression.ts";
import type { OverRelation } from "../../over/over-relation.ts";
import { refuse } from "../../refusals/refuse.ts";
import type { OverScope } from "./over-scope.ts";

/** The condition that was resolved as the only column of a list. */
export function onOf(relation: OverRelation): PostExpression {
  const column = relation.kind === "shown" ? relation.columns[0] : undefined;
  if (column?.type !== "boolean" || relation.kind !== "shown" || relation.of.kind !== "answer")
    return refuse("query.type", "ON takes a condition of the two sides", "write ON a.x = b.x");
  return column.expression;
}

/** Returns a node that names the column of a side that USING names. */
export function qualified({ columns }: OverScope, name: string, offset: number | undefined): Node {
  const column = columns.find((one) => one.name === name);
  if (!column)
    return refuse("query.unknown-column", `USING (${name}): one side has no such column`, "write ON", offset);
  return { ColumnRef: { fields: [column.source ?? "", name].map((sval) => ({ String: { sval } })) } };
}

/** Returns the rows of two sides beside each other. Errors: query.unsupported for one name of both. */
export function joinedScopes(
  type: "inner" | "left" | "right" | "full",
  left: OverScope,
  right: OverScope,
  on: Extract<OverRelation, { kind: "joined" }>["on"],
): OverScope {
  const twice = right.columns.find(({ column }) => left.columns.some((other) => other.column === column));
  if (twice)
    refuse(
      "query.unsupported",
      `FROM names ${JSON.stringify(twice.source)} twice`,
      "give each its own name: a AS x JOIN a AS y",
    );
  return {
    relation: { kind: "joined", type, left: left.relation, right: right.relation, on },
    columns: [...left.columns, ...right.columns],
  };
}
