import { ratio } from "@lethe/core";
import { floor } from "@lethe/core/numeric";
import type { CombinedTotal, Plan } from "../plan.ts";

/** What a total holds of a measurement. */
export interface TotalPart {
  readonly measurement: string;
  readonly weight: number;
}

/** Returns the total of this name that is read from several measurements; undefined where it is measured itself. */
export function combinedTotal(
  { combined = [] }: Pick<Plan, "combined">,
  name: string,
): CombinedTotal | undefined {
  return combined.find((total) => total.name === name);
}

/**
 * Returns the measurements that a total is read from, and the weight of each: itself, where it is measured.
 * @example totalParts(plan of "SELECT AVG(x) …" over [0, 100], "COUNT(*)") // => [{ measurement: "SUM(x − lowest)", weight: 0.01 }, { … }]
 */
export function totalParts(plan: Pick<Plan, "combined">, name: string): readonly TotalPart[] {
  const combined = combinedTotal(plan, name);
  if (!combined) return [{ measurement: name, weight: 1 }];
  const { terms, divisor } = combined;
  return terms.map(({ measurement, coefficient }) => ({
    measurement,
    weight: Number(coefficient) / Number(divisor),
  }));
}

/** Returns the integer nearest to a combined total's Σ coefficient · measurement / divisor, halves upwards. */
export function readCombined(
  { terms, divisor }: CombinedTotal,
  noisy: (measurement: string) => bigint,
): bigint {
  const whole = BigInt(divisor);
  const sum = terms.reduce(
    (total, { measurement, coefficient }) => total + BigInt(coefficient) * noisy(measurement),
    0n,
  );
  return floor(ratio(2n * sum + whole, 2n * whole));
}
