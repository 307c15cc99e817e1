import type { NoisyCells } from "@lethe/core/mechanisms";
import type { NoisyNumbers } from "../aggregates/answers/noisy-numbers.ts";
import { missing } from "../refusals/by-name.ts";
import type { Plan } from "./plan.ts";
import { readCombined } from "./together/combined-total.ts";

/**
 * Returns what gives a group's noisy integers by name, combined totals among them. Releases list them in the order of the plan's measurements, and
 * of its trees. Errors, as a number is read: internal.invariant for a name that the plan does not have.
 * @example noisyNumbers(plan)(group.values, group.trees).total("COUNT(*)")
 */
export function noisyNumbers({
  measurements,
  combined = [],
  trees = [],
}: Pick<Plan, "measurements" | "combined" | "trees">): (
  values: readonly bigint[],
  cells?: readonly NoisyCells[],
) => NoisyNumbers {
  const placeOf = placesOf(measurements);
  const treePlaceOf = placesOf(trees);
  const combinedOf = new Map(combined.map((total) => [total.name, total]));
  return (values, cells = []) => {
    const measured = (name: string): bigint => values[placeOf(name)] ?? missing(name);
    return {
      total(name) {
        const total = combinedOf.get(name);
        return total ? readCombined(total, measured) : measured(name);
      },
      cells: (name) => cells[treePlaceOf(name)] ?? missing(name),
    };
  };
}

function placesOf(named: readonly { readonly name: string }[]): (name: string) => number {
  const places = new Map(named.map(({ name }, place) => [name, place]));
  return (name) => places.get(name) ?? missing(name);
}
