import type { JointAnswers, Part } from "./answers/interval-part.ts";
import type { AggregateFamily } from "./family.ts";
import type { Aggregate, AggregateKind, KnownTypes, PlannedAggregate, SumColumn } from "./kinds.ts";
import type { PostExpression } from "./post-expression.ts";
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

/** Returns the part of a computed column that some family knows as a whole; null where none does. */
export function jointPart(expression: PostExpression, answers: JointAnswers): Part | null {
  for (const { joint } of Object.values(families) as readonly AnyFamily[]) {
    const part = joint?.(expression, answers);
    if (part) return part;
  }
  return null;
}
