import type { FuncCall } from "@pgsql/types";
import { writeSql } from "../../expressions/write-sql.ts";
import { resolveExpression } from "../expressions/resolve-expression.ts";
import { constantNumber } from "../expressions/resolve-literal.ts";
import { functionName } from "../names/nodes.ts";
import type { Scope } from "../names/scope.ts";

const usualBuckets = 10;
const mostBuckets = 1000;

/** The key by which HISTOGRAM(x, n) is counted: n equal cells of the bounds of x; null for what is no such call. */
export function histogramBuckets({ funcname, args = [] }: FuncCall, scope: Scope): string | null {
  const [value, count] = args;
  if (functionName(funcname) !== "histogram" || !value) return null;
  const argument = resolveExpression(value, scope);
  const { domain } = argument;
  if (domain.type !== "number" || domain.bounds === null || !(domain.bounds[0] < domain.bounds[1]))
    return null;
  const asked = count ? constantNumber(resolveExpression(count, scope)) : null;
  const isUsable = asked !== null && Number.isInteger(asked) && asked >= 1 && asked <= mostBuckets;
  return `WIDTH_BUCKET(${writeSql(argument)}, ${domain.bounds.join(", ")}, ${isUsable ? asked : usualBuckets})`;
}
