import type { UnitAggregate, UnitAggregateOf } from "../unit-aggregate.ts";
import { average } from "./average.ts";
import { count } from "./count.ts";
import { countDistinct } from "./count-distinct.ts";
import { extreme } from "./extreme.ts";
import { sum } from "./sum.ts";
import type { UnitAggregateKind } from "./unit-aggregate-kind.ts";

/** Every kind of value of some rows of one unit. A kind that is not here does not compile. */
const unitAggregates: {
  readonly [K in UnitAggregate["kind"]]: UnitAggregateKind<UnitAggregateOf<K>>;
} = {
  count,
  "count-distinct": countDistinct,
  min: extreme("MIN"),
  max: extreme("MAX"),
  sum,
  avg: average,
};

export function unitAggregateKindOf({ kind }: UnitAggregate): UnitAggregateKind<UnitAggregate> {
  return unitAggregates[kind] as UnitAggregateKind<UnitAggregate>;
}

/** Writes a value of some rows of one unit as a question asks for it. */
export function writeUnitAggregate(value: UnitAggregate): string {
  return unitAggregateKindOf(value).write(value);
}
