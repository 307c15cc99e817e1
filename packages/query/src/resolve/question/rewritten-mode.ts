import type { FuncCall } from "@pgsql/types";
import { writeSql } from "../../expressions/write-sql.ts";
import { resolveExpression } from "../expressions/resolve-expression.ts";
import { functionName } from "../names/nodes.ts";
import type { Scope } from "../names/scope.ts";
import { askedPlaces, countedOf, isMostFrequent } from "../over/frequent/placed-values.ts";

/** Writes a call of MODE, APPROX_TOP_COUNT or APPROX_TOP_K as it is read back; null for every other call. Errors: those of what is counted. */
export function writeMostFrequent(call: FuncCall, scope: Scope): string | null {
  const places = isMostFrequent(call) ? askedPlaces(call) : null;
  if (places === null || call.over) return null;
  const { value, where, largestFirst } = countedOf(call);
  const name = functionName(call.funcname).toUpperCase();
  const counted = resolveExpression(value, scope);
  if (counted.kind === "literal") return null;
  const written = writeSql(counted);
  const filter = where ? ` FILTER (WHERE ${writeSql(resolveExpression(where, scope))})` : "";
  if (name !== "MODE") return `${name}(${written}, ${places})${filter}`;
  return `MODE() WITHIN GROUP (ORDER BY ${written}${largestFirst ? " DESC" : ""})${filter}`;
}
