import type { FuncCall } from "@pgsql/types";
import { isUnlimited } from "../../aggregates/bounds/argument-grid.ts";
import { familyOf } from "../../aggregates/family-of.ts";
import type { Named } from "../../aggregates/kinds.ts";
import type { Domain } from "../../expressions/domain.ts";
import { refuse } from "../../refusals/refuse.ts";
import { resolveAggregate, writeAggregate } from "../aggregates/resolve-aggregate.ts";
import type { Aggregate } from "../names/resolved-query.ts";
import type { Scope } from "../names/scope.ts";

const maxAggregates = 100;

/** Collects the aggregates of the question. Each is measured once, however often it is named. */
export function aggregateList(scope: Scope): {
  all(): readonly Named<Aggregate>[];
  measure(call: FuncCall): string;
  measured(aggregate: Aggregate, offset: number | undefined): string;
  typeOf(name: string): Domain["type"];
} {
  const known = new Map<string, Aggregate>();
  const measured = (aggregate: Aggregate, offset: number | undefined): string => {
    const name = writeAggregate(aggregate, scope);
    if (!known.has(name)) known.set(name, aggregate);
    if (known.size > maxAggregates)
      refuse("query.too-large", `more than ${maxAggregates} aggregates`, "ask several questions", offset);
    return name;
  };
  const typeOf = (name: string): Domain["type"] => {
    const aggregate = known.get(name);
    return (aggregate && familyOf(aggregate).time(aggregate)) ?? "number";
  };
  return {
    all: () => [...known].map(([name, aggregate]) => ({ name, ...aggregate })),
    measured,
    typeOf,
    measure: (call) => measured(learningBounds(resolveAggregate(call, scope)), call.location),
  };
}

/** The aggregate, whose bounds are to be learned where neither the question nor the policy states any. */
function learningBounds(aggregate: Aggregate): Aggregate {
  if (!("bounds" in aggregate) || aggregate.bounds !== null) return aggregate;
  const learns = familyOf(aggregate).bounds.learned && isUnlimited(aggregate.argument);
  return learns ? ({ ...aggregate, bounds: { per: "auto" } } as Aggregate) : aggregate;
}
