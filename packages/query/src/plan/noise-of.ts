import { type AddedNoise, mixedNoise } from "@lethe/core/accuracy";
import { elementAt } from "@lethe/core/numeric";
import { byName } from "../refusals/by-name.ts";
import type { Plan } from "./plan.ts";
import { oneGroup, type RowNoise } from "./row-noise.ts";

/** Returns the noise between a measured total and the true one, in a row that sums these draws. */
export function noiseOf(plan: Plan, measurement: string, row: RowNoise = oneGroup): AddedNoise {
  return mixedNoise(
    row.map(({ level, draws }) => {
      const measured = level === 0 ? plan.measurements : elementAt(plan.totals!, level - 1).measurements;
      return { draws, of: byName(measured, measurement).noise };
    }),
  );
}
