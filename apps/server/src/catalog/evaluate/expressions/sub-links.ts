import type { Node, SubLink } from "@pgsql/types";
import { refused, unsupported } from "../../refuse.ts";
import { applied, type Side } from "../../resolve/operator.ts";
import { keyOf } from "../../types/compare.ts";
import { oids } from "../../types/oids.ts";
import { ArrayValue, type Value } from "../../types/values.ts";
import type { Compiler } from "../compiler.ts";
import type { Expr } from "../expr.ts";
import type { Frame } from "../frame.ts";
import { stringsOf } from "../nodes.ts";
import { type Query, rowsOfQuery } from "../query.ts";
import type { Scope } from "../scope.ts";
import { sideOf } from "./operators.ts";

/** Reads a sub-select within an expression. Errors: query.unsupported, query.type for more than one row or column. */
export function subLinkExpression(link: SubLink, compiler: Compiler, scope: Scope): Expr {
  const { subLinkType, subselect, location } = link;
  if (!subselect || !("SelectStmt" in subselect))
    return unsupported("a sub-query that is no SELECT", location);
  const query = compiler.select(subselect.SelectStmt, scope.level, scope);
  const [first] = query.columns;
  const one = (): NonNullable<typeof first> =>
    first && query.columns.length === 1
      ? first
      : refused("query.type", "subquery must return only one column", location);
  switch (subLinkType) {
    case "EXISTS_SUBLINK":
      return { type: oids.bool, typmod: -1, run: exists(query) };
    case "EXPR_SUBLINK": {
      const { type, typmod } = one();
      return { type, typmod, run: scalar(query, location) };
    }
    case "ARRAY_SUBLINK": {
      const { type } = one();
      const run = (frame: Frame): Value =>
        new ArrayValue(rowsOfQuery(query, frame).map(([value = null]) => value));
      return { type: compiler.place.catalog.types.arrayOf(type), typmod: -1, run };
    }
    case "ANY_SUBLINK":
    case "ALL_SUBLINK":
      return quantified(link, query, compiler, scope);
    default:
      return unsupported(`the form ${subLinkType}`, location);
  }
}

function exists(query: Query): Expr["run"] {
  const look = (frame: Frame): boolean => query.each(frame, frame.run, () => true);
  if (!query.level.isClosed) return look;
  return (frame) => frame.run.once(query, () => [look(frame)])[0] ?? false;
}

function scalar(query: Query, offset: number | undefined): Expr["run"] {
  const look = (frame: Frame): Value => {
    let [value, count]: [Value, number] = [null, 0];
    query.each(frame, frame.run, ([first = null]) => {
      count += 1;
      value = first;
      return count > 1;
    });
    if (count > 1)
      refused("query.type", "more than one row returned by a subquery used as an expression", offset);
    return value;
  };
  if (!query.level.isClosed) return look;
  return (frame) => frame.run.once(query, () => [look(frame)])[0] ?? null;
}

/** `a IN (SELECT …)`, `a > ALL (SELECT …)`. */
function quantified(
  { subLinkType, testexpr, operName, location }: SubLink,
  query: Query,
  compiler: Compiler,
  scope: Scope,
): Expr {
  const isAny = subLinkType === "ANY_SUBLINK";
  const name = stringsOf(operName).at(-1) ?? "=";
  const nodes = testexpr && "RowExpr" in testexpr ? (testexpr.RowExpr.args ?? []) : [testexpr as Node];
  if (nodes.length !== query.columns.length)
    return refused(
      "query.type",
      "subquery has another number of columns than what it is compared with",
      location,
    );
  const row: { current: readonly Value[] } = { current: [] };
  const pairs = nodes.map((node, at) => {
    const { type = oids.text, typmod = -1 } = query.columns[at] ?? {};
    const other: Side = { expr: { type, typmod, run: () => row.current[at] ?? null }, slots: new Set() };
    return applied(name, sideOf(node, compiler, scope), other, compiler.place, compiler.parameters, location);
  });
  const compare = (frame: Frame): Value => {
    let isUnknown = false;
    for (const { run } of pairs) {
      const holds = run(frame);
      if (holds === false) return false;
      if (holds === null) isUnknown = true;
    }
    return isUnknown ? null : true;
  };
  const slow = (frame: Frame): Value => {
    let isUnknown = false;
    for (const each of rowsOfQuery(query, frame)) {
      frame.run.budget.step();
      row.current = each;
      const holds = compare(frame);
      if (holds === isAny) return isAny;
      if (holds === null) isUnknown = true;
    }
    return isUnknown ? null : !isAny;
  };
  const [pair] = pairs;
  const equality = pair?.equality;
  if (!isAny || name !== "=" || pairs.length !== 1 || !query.level.isClosed || !equality)
    return { type: oids.bool, typmod: -1, run: slow };
  // The rows are the same from everywhere: their values are looked up.
  const marker = {};
  const run = (frame: Frame): Value => {
    const known = frame.run.once(marker, () => {
      const keys = new Set<ReturnType<typeof keyOf>>();
      for (const each of rowsOfQuery(query, frame)) {
        row.current = each;
        keys.add(keyOf(equality.right.run(frame)));
      }
      return keys;
    });
    const value = equality.left.run(frame);
    if (value === null) return known.size === 0 ? false : null;
    return known.has(keyOf(value)) ? true : known.has(null) ? null : false;
  };
  return { type: oids.bool, typmod: -1, run };
}
