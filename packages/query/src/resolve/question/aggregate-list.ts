import { elementAt } from "@lethe/core/numeric";
import type { FuncCall } from "@pgsql/types";
import { familyOf } from "../../aggregates/family-of.ts";
import type { Domain } from "../../expressions/domain.ts";
import { refuse } from "../../refusals/refuse.ts";
import { resolveAggregate, writeAggregate } from "../aggregates/resolve-aggregate.ts";
import type { Aggregate } from "../names/resolved-query.ts";
import type { Scope } from "../names/scope.ts";

const maxAggregates = 100;

/** Collects the aggregates of the question. Each is measured once, however often it is named. */
export function aggregateList(scope: Scope): {
  readonly all: readonly Aggregate[];
  measure(call: FuncCall): number;
  measured(aggregate: Aggregate, offset: number | undefined): number;
  typeOf(place: number): Domain["type"];
} {
  const all: Aggregate[] = [];
  const places = new Map<string, number>();
  const measured = (aggregate: Aggregate, offset: number | undefined): number => {
    const identity = writeAggregate(aggregate, scope);
    const place = places.get(identity) ?? all.push(aggregate) - 1;
    places.set(identity, place);
    if (all.length > maxAggregates)
      refuse("query.too-large", `more than ${maxAggregates} aggregates`, "ask several questions", offset);
    return place;
  };
  const typeOf = (place: number): Domain["type"] => {
    const aggregate = elementAt(all, place);
    return familyOf(aggregate).time(aggregate) ?? "number";
  };
  return { all, measured, typeOf, measure: (call) => measured(resolveAggregate(call, scope), call.location) };
}
