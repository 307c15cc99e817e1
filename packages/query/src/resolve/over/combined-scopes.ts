import { elementAt } from "@lethe/core/numeric";
import type { SelectStmt } from "@pgsql/types";
import type { OverColumn, OverRelation } from "../../over/over-relation.ts";
import { refuse } from "../../refusals/refuse.ts";
import { offsetWithin } from "../names/nodes.ts";
import { distinctNames } from "../names/output-name.ts";
import { type OverScope, shownAs } from "./over-scope.ts";

/** Returns what UNION, INTERSECT or EXCEPT makes of two SELECTs, under the names of the first. Errors: query.type, query.unsupported. */
export function combinedScopes(
  { op, all = false, rarg }: Pick<SelectStmt, "op" | "all" | "rarg">,
  [left, right]: readonly [OverScope, OverScope],
): OverScope {
  const alike =
    left.columns.length === right.columns.length &&
    left.columns.every(({ type }, at) => type === elementAt(right.columns, at).type);
  if (!alike)
    refuse(
      "query.type",
      "the parts of a UNION, INTERSECT or EXCEPT have as many columns, of the same types",
      "name the same columns in each part",
      offsetWithin(rarg),
    );
  const names = left.columns.map(({ name }) => name);
  const columns = left.columns.map(({ name, type }) => ({ source: null, name, column: name, type }));
  if (op === "SETOP_UNION") {
    const union: OverRelation = { kind: "union", parts: [shownWith(left, []), shownWith(right, [])] };
    return { relation: all ? union : { kind: "distinct", of: union }, columns };
  }
  if (all)
    refuse(
      "query.unsupported",
      "INTERSECT ALL and EXCEPT ALL of answers are not known",
      "leave ALL out",
      offsetWithin(rarg),
    );
  // Rows of both sides are grouped by all their columns, and told apart by the side that they come from.
  const [side, first, last] = distinctNames([...names, "side", "first", "last"]).slice(names.length);
  const marked = (at: number): readonly OverColumn[] => [
    { name: side ?? "", type: "number", expression: { kind: "literal", value: at } },
  ];
  const ofSide = (name: string | undefined, least: "min" | "max") => ({
    name: name ?? "",
    value: {
      function: least,
      expression: { kind: "key", key: side ?? "" },
      distinct: false,
      where: null,
    } as const,
  });
  const grouped: OverRelation = {
    kind: "grouped",
    of: { kind: "union", parts: [shownWith(left, marked(0)), shownWith(right, marked(1))] },
    by: names,
    values: [ofSide(first, "min"), ofSide(last, "max")],
  };
  const isSide = (name: string | undefined, at: number) =>
    ({
      kind: "call",
      operator: "=",
      args: [
        { kind: "key", key: name ?? "" },
        { kind: "literal", value: at },
      ],
    }) as const;
  const lastSide = isSide(last, op === "SETOP_INTERSECT" ? 1 : 0);
  const kept: OverRelation = {
    kind: "filtered",
    of: grouped,
    where: { kind: "call", operator: "and", args: [isSide(first, 0), lastSide] },
  };
  return {
    relation: { kind: "shown", of: kept, columns: columns.map((column) => shownAs(column.name, column)) },
    columns,
  };
}

function shownWith({ relation, columns }: OverScope, more: readonly OverColumn[]): OverRelation {
  const shown = columns.map((column) => shownAs(column.name, column));
  return { kind: "shown", of: relation, columns: [...shown, ...more] };
}
