import type { AnswerSetting } from "../aggregates/answers/answer-setting.ts";
import { sumKindOf } from "../aggregates/family-of.ts";
import type { SumColumn } from "../aggregates/kinds.ts";
import type { PossibleSigns } from "../aggregates/sum-kind.ts";
import { byName } from "../refusals/by-name.ts";
import { noiseOf } from "./noise-of.ts";
import type { Plan } from "./plan.ts";
import { oneGroup, type RowNoise } from "./row-noise.ts";
import { sumOf } from "./sum-of.ts";

/** Returns what the errors of a plan's answers follow from, in a row that holds this noise. */
export function answerSetting(plan: Plan, confidence: number, row: RowNoise = oneGroup): AnswerSetting {
  return {
    confidence,
    noiseOf: (measurement) => noiseOf(plan, measurement, row),
    signsOf: (measurement) => possibleSigns(plan, measurement),
    valuesOf: (measurement) => valuesOf(plan, measurement),
    treeOf: (tree) => byName(plan.trees ?? [], tree),
  };
}

/** Counts are at least 0, and a sum of values of one sign has that sign: a public fact that shortens intervals near 0. */
export function possibleSigns(plan: Plan, measurement: string): PossibleSigns {
  const sum = mainSum(plan, measurement);
  return sumKindOf(sum).signs(sum, plan.unit.kind === "row");
}

function valuesOf(plan: Plan, measurement: string): readonly [number, number] {
  const sum = mainSum(plan, measurement);
  const [read] = sumKindOf(sum).values(sum);
  if (!read?.grid) return [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const { lo, hi, exponent } = read.grid;
  return [Number(lo) * 2 ** exponent, Number(hi) * 2 ** exponent];
}

/** Returns the sum that a measurement is about: the one that is not there to correct another. */
export function mainSum(plan: Plan, measurement: string): SumColumn {
  return sumOf(plan, byName(plan.measurements, measurement));
}
