import { LetheError } from "@lethe/core";
import type { GroupingFunc, Node } from "@pgsql/types";
import { bindExpression } from "./bind-expression.ts";
import type { PostScope, TypedPost } from "./bind-post.ts";
import type { PostExpression } from "./bound-query.ts";
import { offsetOf } from "./nodes.ts";
import { postSize } from "./post-parts.ts";
import { refuse } from "./refuse.ts";
import { writeSql } from "./write-sql.ts";

/**
 * GROUPING(a, b): a number whose bits say of each key whether the row is a total over it, the last key in the lowest bit.
 * Errors: query.unsupported for what is not grouped by.
 */
export function bindGrouping({ args = [] }: GroupingFunc, scope: PostScope): TypedPost {
  const away = args.map((arg) => scope.keys.length + placeOf(arg, scope));
  const number = (value: number): PostExpression => ({ kind: "literal", value });
  const expression = scope.isTotalled
    ? away
        .map((key): PostExpression => ({ kind: "key", key }))
        .reduce((bits, bit) => ({
          kind: "call",
          operator: "+",
          args: [{ kind: "call", operator: "*", args: [bits, number(2)] }, bit],
        }))
    : number(0);
  return { expression, type: "number", size: postSize(expression) };
}

function placeOf(node: Node, scope: PostScope): number {
  const place = scope.keySql.indexOf(keyText(node, scope));
  if (place < 0)
    refuse(
      "query.unsupported",
      "GROUPING asks of a key whether the row is a total over it",
      "name what GROUP BY names",
      offsetOf(node),
    );
  return place;
}

function keyText(node: Node, scope: PostScope): string {
  try {
    return writeSql(bindExpression(node, scope));
  } catch (error) {
    if (error instanceof LetheError) return "";
    throw error;
  }
}
