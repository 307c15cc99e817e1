import type { FuncCall } from "@pgsql/types";
import type { ArgumentPair } from "../../aggregates/argument-pair.ts";
import { demandType } from "../../expressions/build/build-expression.ts";
import type { Expression } from "../../expressions/expression.ts";
import { alwaysNull } from "../../expressions/operators/domains.ts";
import { writeSql } from "../../expressions/write-sql.ts";
import { refuse } from "../../refusals/refuse.ts";
import { resolveExpression } from "../expressions/resolve-expression.ts";
import { functionName } from "../names/nodes.ts";
import type { Scope } from "../names/scope.ts";
import { checkForm, filtered } from "./aggregate-form.ts";

/**
 * The arguments of an aggregate of two numbers, cut to the rows where neither is NULL. Errors: query.type for anything but
 * two numbers, query.option for bounds, query.unsupported for DISTINCT and windows.
 */
export function resolvePair(call: FuncCall, scope: Scope): ArgumentPair {
  const label = functionName(call.funcname).toUpperCase();
  const { location, args = [] } = call;
  checkForm(call, label);
  if (call.agg_distinct)
    refuse("query.unsupported", `${label} of distinct pairs is not answered`, "remove DISTINCT", location);
  if (args.some((arg) => "NamedArgExpr" in arg))
    refuse(
      "query.option",
      `${label} takes no bounds: they are those of its arguments`,
      "state bounds of the columns in the policy",
      location,
    );
  if (call.agg_star || args.length !== 2)
    refuse("query.type", `${label} takes two arguments`, `write ${label}(y, x)`, location);
  const [one, two] = args.map((arg) => {
    const argument = filtered(resolveExpression(arg, scope), call, scope);
    demandType(argument, "number", location);
    if (alwaysNull(argument.domain))
      refuse(
        "query.type",
        `${writeSql(argument)} is always NULL`,
        `write ${label} of something that has values`,
        location,
      );
    return argument;
  }) as [Expression, Expression];
  const whereKnown = (argument: Expression, other: Expression): Expression =>
    other.domain.nullable && writeSql(argument) !== writeSql(other)
      ? scope.build.case(
          // biome-ignore lint/suspicious/noThenProperty: THEN is what SQL calls it
          [{ when: scope.build.call("is-not-null", [other], location), then: argument }],
          scope.build.literal(null),
          location,
        )
      : argument;
  const [first, second] = [whereKnown(one, two), whereKnown(two, one)];
  const written = [writeSql(one), writeSql(two)] as const;
  // One that stands as it was written may be counted for other answers too.
  const isFirst = first === one || (second !== two && written[0] <= written[1]);
  return { first, second, present: isFirst ? first : second, written };
}
