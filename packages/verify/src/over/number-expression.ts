import type { PostExpression, PostOperator } from "@lethe/query";
import { named } from "../derive/named.ts";
import type { MadeColumn } from "./made-rows.ts";

const ofTruth: ReadonlySet<PostOperator> = new Set([
  "=",
  "<>",
  "<",
  "<=",
  ">",
  ">=",
  "and",
  "or",
  "not",
  "is-null",
  "is-not-null",
  "in",
  "like",
]);
const ofText: ReadonlySet<PostOperator> = new Set([
  ...(["lower", "upper", "initcap", "trim", "ltrim", "rtrim", "left", "right", "substr"] as const),
  ...(["replace", "split_part", "concat", "to-text", "date-trunc"] as const),
]);
const ofArguments: ReadonlySet<PostOperator> = new Set(["coalesce", "nullif"]);

/** Whether an expression over rows is a number. One that is NULL alone is none. */
export function isNumberExpression(expression: PostExpression, columns: readonly MadeColumn[]): boolean {
  return numberness(expression, columns) === true;
}

/** Returns whether an expression is a number; null where it is NULL alone. */
function numberness(expression: PostExpression, columns: readonly MadeColumn[]): boolean | null {
  const ofFirst = (parts: readonly PostExpression[]): boolean | null =>
    parts.map((part) => numberness(part, columns)).find((found) => found !== null) ?? null;
  switch (expression.kind) {
    case "literal":
      return expression.value === null ? null : typeof expression.value === "number";
    case "call":
      if (ofArguments.has(expression.operator)) return ofFirst(expression.args);
      return !ofTruth.has(expression.operator) && !ofText.has(expression.operator);
    case "case":
      return ofFirst([...expression.branches.map(({ then }) => then), expression.otherwise]);
    case "key":
      return named(columns, expression.key).isNumber;
    default:
      return true;
  }
}
