import type { AggregateFamily } from "./family.ts";
import type { Aggregate, AggregateKind, KnownTypes, PlannedAggregate, SumColumn } from "./kinds.ts";
import { families, sumKinds } from "./registry.ts";
import type { SumKind } from "./sum-kind.ts";

/** A family whose own types are those of whatever aggregate it was found by. */
type AnyFamily = AggregateFamily<{
  readonly asked: Aggregate;
  readonly planned: PlannedAggregate;
  readonly sum: KnownTypes["sum"];
}>;

/** Returns the family of an aggregate, asked or planned. */
export function familyOf({ kind }: { readonly kind: AggregateKind }): AnyFamily {
  return families[kind];
}

/** Returns what is known of a sum's kind. */
export function sumKindOf({ kind }: SumColumn): SumKind<SumColumn> {
  return sumKinds[kind] as SumKind<SumColumn>;
}
