import type { Expression } from "../expression.ts";
import type { Operator } from "../operator.ts";
import { operatorRules } from "./index.ts";
import { caseIsExact } from "./text.ts";

/** Whether every engine computes the very same value of this call. */
export function isExactCall(operator: Operator, args: readonly Expression[]): boolean {
  const { exact } = operatorRules[operator];
  if (!(exact === true || (exact === "unary" && args.length === 1))) return false;
  if (operator !== "lower" && operator !== "upper" && operator !== "initcap") return true;
  return args.every(({ domain }) => caseIsExact(domain));
}
