import type { FuncCall, Node } from "@pgsql/types";
import { demandCondition } from "../../expressions/build/demand-possible.ts";
import type { Expression } from "../../expressions/expression.ts";
import { refuse } from "../../refusals/refuse.ts";
import { resolveCondition } from "../conditions/resolve-condition.ts";
import { offsetOf } from "../names/nodes.ts";
import { refuseWindow } from "../names/refuse-window.ts";
import type { Scope } from "../names/scope.ts";

/** Refuses what no aggregate takes here: OVER, WITHIN GROUP, ORDER BY, VARIADIC. Errors: query.unsupported. */
export function checkForm(call: FuncCall, label: string): void {
  const { location } = call;
  const no = (what: string, fix: string): never =>
    refuse("query.unsupported", `${label}: ${what}`, fix, location);
  if (call.over) refuseWindow(location, `${label}: `);
  if (call.agg_within_group) no("WITHIN GROUP is not answered", "ask for AVG");
  if (call.agg_order) no("ORDER BY inside an aggregate changes nothing here", "remove it");
  if (call.func_variadic) no("VARIADIC is not known", "remove it");
}

/** FILTER (WHERE c) keeps a row's argument where c is true, and makes it NULL elsewhere. */
export function filtered(argument: Expression, call: FuncCall, scope: Scope): Expression {
  return call.agg_filter ? where(call.agg_filter, argument, call, scope) : argument;
}

/** The argument where a condition is true, NULL elsewhere. */
export function where(condition: Node, argument: Expression, call: FuncCall, scope: Scope): Expression {
  const when = resolveCondition(condition, scope);
  demandCondition(when, offsetOf(condition) ?? call.location);
  // biome-ignore lint/suspicious/noThenProperty: THEN is what SQL calls it
  const branch = { when, then: argument };
  return scope.build.case([branch], scope.build.literal(null), call.location);
}
