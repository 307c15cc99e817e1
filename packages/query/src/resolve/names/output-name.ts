import type { Node } from "@pgsql/types";
import { functionName, part } from "./nodes.ts";
import { fieldNames } from "./scope.ts";

/** The name that PostgreSQL gives to an output column without an alias. */
export function defaultName(node: Node): string {
  if ("ColumnRef" in node) return fieldNames(node.ColumnRef.fields)?.at(-1) ?? "?column?";
  if ("FuncCall" in node) return functionName(node.FuncCall.funcname);
  if ("TypeCast" in node) {
    const inner = defaultName(part(node.TypeCast.arg));
    return inner === "?column?" ? functionName(node.TypeCast.typeName?.names) : inner;
  }
  if ("GroupingFunc" in node) return "grouping";
  if ("CaseExpr" in node) return "case";
  if ("CoalesceExpr" in node) return "coalesce";
  if ("MinMaxExpr" in node) return node.MinMaxExpr.op === "IS_LEAST" ? "least" : "greatest";
  return "?column?";
}

/** Names by which released columns can be told apart: a repeated one gets _2, _3 … */
export function distinctNames(names: readonly string[]): string[] {
  const used = new Set<string>();
  return names.map((name) => {
    let distinct = name;
    for (let n = 2; used.has(distinct); n += 1) distinct = `${name}_${n}`;
    used.add(distinct);
    return distinct;
  });
}
