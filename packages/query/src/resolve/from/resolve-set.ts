import { elementAt } from "@lethe/core/numeric";
import type { Node, SelectStmt } from "@pgsql/types";
import { ofOneType } from "../../expressions/build/build-expression.ts";
import type { Expression } from "../../expressions/expression.ts";
import { refuse } from "../../refusals/refuse.ts";
import type { Scope } from "../names/scope.ts";
import { markedBy } from "./resolve-semijoin.ts";

/** The distinct rows of two SELECTs: those of either, of both, or of the first alone. */
export type SetOperation = "union" | "intersect" | "except";

const operations: Readonly<Record<string, SetOperation>> = {
  SETOP_UNION: "union",
  SETOP_INTERSECT: "intersect",
  SETOP_EXCEPT: "except",
};

/** Returns the operation of a SELECT whose rows are a set; null for one that is no such operation. Errors: query.unsupported for bags. */
export function setOperation({ op, all }: SelectStmt, offset: number | undefined): SetOperation | null {
  const found = operations[op ?? ""] ?? null;
  if (!all || found === "union" || found === null) return all ? null : found;
  return refuse(
    "query.unsupported",
    `${found.toUpperCase()} ALL is not answered`,
    `write ${found.toUpperCase()}, whose rows are distinct`,
    offset,
  );
}

/**
 * Keeps the rows of one scope that the other has too, or has not. NULL equals NULL. Both show the unit in one column, by which rows
 * of one unit alone are compared. Errors: query.unsupported where they do not, or show different numbers of columns.
 */
export function resolveOverlap(
  left: Scope,
  right: Scope,
  operation: "intersect" | "except",
  source: string,
  offset: number | undefined,
): Scope {
  const { build } = left;
  const [ours, theirs] = [left, right].map(({ sources }) => elementAt(sources, 0).columns) as [
    Scope["merged"],
    Scope["merged"],
  ];
  if (ours.length !== theirs.length)
    refuse(
      "query.unsupported",
      `the two sides of ${operation.toUpperCase()} show different numbers of columns`,
      "name the same columns in each",
      offset,
    );
  const pairs = ours.map((column, at) => [column, elementAt(theirs, at)] as const);
  if (!pairs.some(([a, b]) => a.isUnit && b.isUnit))
    refuse(
      "query.unsupported",
      `${operation.toUpperCase()} would compare rows of different units`,
      "show the unit first on both sides",
      offset,
    );
  const conditions = pairs
    .filter(([a, b]) => !(a.isUnit && b.isUnit))
    .map(([a, b]): Expression => {
      const [x, y] = ofOneType([a.expression(offset), b.expression(offset)], offset) as [
        Expression,
        Expression,
      ];
      const equal = build.call("=", [x, y], offset);
      if (!x.domain.nullable && !y.domain.nullable) return equal;
      const missing = build.call(
        "and",
        [x, y].map((value) => build.call("is-null", [value], offset)),
        offset,
      );
      return build.call("or", [equal, missing], offset);
    });
  const looked = { inner: right, isOwned: true, keys: [], conditions };
  return markedBy(left, looked, source, operation === "except", offset);
}

/** SELECT DISTINCT of all columns of a scope, by their names. */
export function distinctOf({ sources }: Scope): SelectStmt {
  const targetList = elementAt(sources, 0).columns.map(({ name }): Node => {
    const val: Node = { ColumnRef: { fields: [{ String: { sval: name } }] } };
    return { ResTarget: { name, val } };
  });
  return { targetList, distinctClause: [{} as Node] };
}
