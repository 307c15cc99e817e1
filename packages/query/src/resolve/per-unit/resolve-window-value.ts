import { elementAt } from "@lethe/core/numeric";
import type { FuncCall } from "@pgsql/types";
import type { Domain } from "../../expressions/domain.ts";
import type { Expression } from "../../expressions/expression.ts";
import { maxExact } from "../../expressions/operators/interval.ts";
import { refuse } from "../../refusals/refuse.ts";
import type { UnitAggregate } from "../../relations/unit-aggregate.ts";
import { unitAggregateKindOf } from "../../relations/unit-aggregates/registry.ts";
import {
  mayBeEmpty,
  mostFrameRows,
  type WindowFrame,
  type WindowValue,
} from "../../relations/unit-window.ts";
import { resolveExpression } from "../expressions/resolve-expression.ts";
import { constantNumber } from "../expressions/resolve-literal.ts";
import { policyOfDomain, storedDomain } from "../from/tables/made-column.ts";
import { isAggregateName } from "../names/aggregate-names.ts";
import { functionName } from "../names/nodes.ts";
import { columnDomain, type Scope } from "../names/scope.ts";
import { integerColumn, type ResolvedUnitAggregate, resolveUnitAggregate } from "./resolve-unit-aggregate.ts";

/** The value of a window, with the column that keeps it. */
export interface ResolvedValue extends Omit<ResolvedUnitAggregate, "aggregate"> {
  readonly value: WindowValue;
}

const places = new Map([
  ["row_number", "row-number"],
  ["rank", "rank"],
  ["dense_rank", "dense-rank"],
] as const);

/** Resolves what a window function makes of its frame. Errors: query.type and query.unsupported, with what is answered. */
export function resolvedValue(call: FuncCall, frame: WindowFrame | null, scope: Scope): ResolvedValue {
  const name = functionName(call.funcname);
  const label = name.toUpperCase();
  const { location, args = [] } = call;
  const place = (places as ReadonlyMap<string, "row-number" | "rank" | "dense-rank">).get(name);
  const takes = (count: string, fits: boolean, form: string): void => {
    if (
      !fits ||
      call.agg_star ||
      call.agg_filter ||
      call.agg_distinct ||
      call.agg_order ||
      call.agg_within_group
    )
      refuse("query.type", `${label} takes ${count}`, `write ${form}`, location);
  };
  if (place) {
    takes("no argument", args.length === 0, `${label}() OVER (…)`);
    const policy = integerColumn(1, maxExact, false);
    return { value: { kind: place, argument: null }, policy, domain: columnDomain(policy) };
  }
  if (name === "lag" || name === "lead") {
    takes(
      "a value and a number of rows",
      args.length === 1 || args.length === 2,
      `COALESCE(${label}(x, 1) OVER (…), 0)`,
    );
    const by = args[1] === undefined ? 1 : constantNumber(resolveExpression(args[1], scope));
    if (by === null || !(Number.isInteger(by) && by >= 0 && by <= mostFrameRows))
      refuse(
        "query.type",
        `${label} looks at most ${mostFrameRows} rows away`,
        `write ${label}(x, 1)`,
        location,
      );
    return carried(resolveExpression(elementAt(args, 0), scope), true, (argument) => ({
      kind: name,
      argument,
      by,
    }));
  }
  if (name === "first_value" || name === "last_value") {
    takes("one argument", args.length === 1, `${label}(x) OVER (…)`);
    const kind = name === "first_value" ? "first" : "last";
    if (kind === "last" && frame === null)
      refuse(
        "query.unsupported",
        "LAST_VALUE is the row itself, or one of those that the order does not tell from it",
        "write ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING behind ORDER BY",
        location,
      );
    return carried(resolveExpression(elementAt(args, 0), scope), mayBeEmpty(frame), (argument) => ({
      kind,
      argument,
    }));
  }
  if (!isAggregateName(name))
    refuse(
      "query.unsupported",
      `${label} is not answered as a window function`,
      "ask for ROW_NUMBER, RANK, LAG, LEAD, FIRST_VALUE, LAST_VALUE, COUNT, SUM, AVG, MIN or MAX",
      location,
    );
  const { aggregate, policy, domain } = resolveUnitAggregate(call, scope);
  if (!isWindowed(aggregate))
    refuse(
      "query.unsupported",
      "no engine counts distinct values in a window",
      "group by the unit in another subquery, and join",
      location,
    );
  if (!mayBeEmpty(frame)) return { value: aggregate, policy, domain };
  if (!unitAggregateKindOf(aggregate).isCount)
    return {
      value: aggregate,
      policy: { ...policy, nullable: true },
      domain: { ...domain, nullable: true },
    };
  const empty = integerColumn(0, maxExact, false);
  return { value: aggregate, policy: empty, domain: columnDomain(empty) };
}

type WindowedAggregate = Extract<WindowValue, UnitAggregate>;

function isWindowed(aggregate: UnitAggregate): aggregate is WindowedAggregate {
  return unitAggregateKindOf(aggregate).inWindows;
}

/** One row's value in another row. */
function carried(
  argument: Expression,
  mayBeMissing: boolean,
  value: (argument: Expression) => WindowValue,
): ResolvedValue {
  const nullable = argument.domain.nullable || mayBeMissing;
  const domain: Domain = { ...storedDomain(argument.domain), nullable };
  return { value: value(argument), policy: policyOfDomain(domain), domain };
}
