import type { Plan } from "../plan.ts";

/**
 * Returns what an event lists of all that noise is added to: every noise once, so that of measurements that have one noise together only the first
 * stands there, at the sensitivity of all of them.
 */
export function pricedOnce<T extends { readonly name: string }>(
  noised: readonly T[],
  { joint = [] }: Pick<Plan, "joint">,
): readonly T[] {
  const later = new Set(joint.flatMap(([, ...others]) => others));
  return noised.filter(({ name }) => !later.has(name));
}
