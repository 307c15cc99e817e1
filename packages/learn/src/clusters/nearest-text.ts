import { elementAt } from "@lethe/core/numeric";
import { double } from "../sql/literal.ts";
import type { Side } from "./nearest.ts";

/** Writes the place of the nearest centroid of values as SQL: a CASE over 0 … k − 1, so that its keys are public. */
export function nearestText(sides: readonly (readonly Side[])[], values: readonly string[]): string {
  const branches = sides.map((all, place) => {
    const conditions = all.map(({ weights, least }) => {
      const terms = weights.map((weight, i) => `${double(weight)} * ${elementAt(values, i)}`);
      return `${terms.join(" + ")} >= ${double(least)}`;
    });
    return `WHEN ${conditions.join(" AND ")} THEN ${place}`;
  });
  return `CASE ${branches.join(" ")} ELSE ${sides.length} END`;
}
