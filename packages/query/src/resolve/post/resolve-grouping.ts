import { LetheError } from "@lethe/core";
import { elementAt } from "@lethe/core/numeric";
import type { FuncCall, GroupingFunc, Node } from "@pgsql/types";
import { writeSql } from "../../expressions/write-sql.ts";
import { refuse } from "../../refusals/refuse.ts";
import { resolveExpression } from "../expressions/resolve-expression.ts";
import { functionName, offsetOf } from "../names/nodes.ts";
import type { NamedKey, PostExpression } from "../names/resolved-query.ts";
import type { Scope } from "../names/scope.ts";

/** The keys that rows are grouped by. */
export interface GroupScope extends Scope {
  readonly keys: readonly NamedKey[];
  /** Whether several groupings are asked at once. */
  readonly isTotalled: boolean;
}

/**
 * GROUPING(a, b): a number whose bits say of each key whether the row is a total over it, the last key in the lowest bit.
 * Errors: query.unsupported for what is not grouped by.
 */
export function resolveGrouping({ args = [] }: GroupingFunc, scope: GroupScope): PostExpression {
  const away = args.map((arg) => keyNamed(arg, scope));
  const number = (value: number): PostExpression => ({ kind: "literal", value });
  return scope.isTotalled
    ? away
        .map((key): PostExpression => ({ kind: "grouped-away", key }))
        .reduce((bits, bit) => ({
          kind: "call",
          operator: "+",
          args: [{ kind: "call", operator: "*", args: [bits, number(2)] }, bit],
        }))
    : number(0);
}

/** The one key of IS_OTHER(key); null for any other node. */
export function otherCall(node: Node): FuncCall | null {
  return "FuncCall" in node && functionName(node.FuncCall.funcname) === "is_other" ? node.FuncCall : null;
}

/**
 * IS_OTHER(a): whether the row stands for what is left of a total beside the released groups, in the place of that key.
 * Errors: query.unsupported for what is not grouped by.
 */
export function resolveOther({ args = [], location }: FuncCall, scope: GroupScope): PostExpression {
  if (args.length !== 1)
    refuse("query.unsupported", "IS_OTHER takes one key", "write IS_OTHER(key)", location);
  const key = keyNamed(elementAt(args, 0), scope, "IS_OTHER");
  if (!scope.isTotalled) return { kind: "literal", value: false };
  return {
    kind: "call",
    operator: "=",
    args: [
      { kind: "other", key },
      { kind: "literal", value: 1 },
    ],
  };
}

/** Returns the name of the key that a node writes. */
function keyNamed(node: Node, scope: GroupScope, call = "GROUPING"): string {
  const written = keyText(node, scope);
  if (!scope.keys.some(({ name }) => name === written))
    refuse(
      "query.unsupported",
      `${call} takes a key, and tells whether the row is ${call === "GROUPING" ? "a total over it" : "what is left beside its released groups"}`,
      "name what GROUP BY names",
      offsetOf(node),
    );
  return written;
}

function keyText(node: Node, scope: GroupScope): string {
  try {
    return writeSql(resolveExpression(node, scope));
  } catch (error) {
    if (error instanceof LetheError) return "";
    throw error;
  }
}
