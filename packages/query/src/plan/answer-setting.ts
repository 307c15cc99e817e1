import { elementAt } from "@lethe/core/numeric";
import type { AnswerSetting } from "../aggregates/answers/answer-setting.ts";
import { sumKindOf } from "../aggregates/family-of.ts";
import type { SumColumn } from "../aggregates/kinds.ts";
import type { PossibleSigns } from "../aggregates/sum-kind.ts";
import { byName } from "../refusals/by-name.ts";
import { noiseOf } from "./noise-of.ts";
import type { Plan } from "./plan.ts";
import { oneGroup, type RowNoise } from "./row-noise.ts";
import { sumOf } from "./sum-of.ts";
import { combinedTotal, totalParts } from "./together/combined-total.ts";

/** Returns what the errors of a plan's answers follow from, in a row that holds this noise. */
export function answerSetting(plan: Plan, confidence: number, row: RowNoise = oneGroup): AnswerSetting {
  return {
    confidence,
    noiseOf: (measurement) => noiseOf(plan, measurement, row),
    partsOf: (total) =>
      totalParts(plan, total).map((part) => ({ ...part, noise: noiseOf(plan, part.measurement, row) })),
    signsOf: (measurement) => possibleSigns(plan, measurement),
    valuesOf: (measurement) => valuesOf(plan, measurement),
    treeOf: (tree) => byName(plan.trees ?? [], tree),
  };
}

/**
 * Returns the sign that a total must have. Counts are at least 0, as are cells that have their noise together, and a sum of values of one sign has
 * that sign: a public fact that shortens intervals near 0.
 */
export function possibleSigns(plan: Plan, total: string): PossibleSigns {
  const combined = combinedTotal(plan, total);
  if (combined) {
    const signs = combined.terms.map(({ measurement, coefficient }) =>
      scaledSigns(possibleSigns(plan, measurement), BigInt(coefficient)),
    );
    return {
      ...(signs.every(({ atLeast }) => atLeast !== undefined) ? { atLeast: 0n } : {}),
      ...(signs.every(({ atMost }) => atMost !== undefined) ? { atMost: 0n } : {}),
    };
  }
  const sum = mainSum(plan, total);
  const signsOfSum = (): PossibleSigns => sumKindOf(sum).signs(sum, plan.unit.kind === "row");
  if (!plan.joint?.some((names) => names.includes(total))) return signsOfSum();
  const [only, ...others] = byName(plan.measurements, total).terms;
  // Cells are at least 0; what is no difference of two sums may be a multiple of a signed one.
  return only && others.length === 0 && sum.kind === "sum"
    ? scaledSigns(signsOfSum(), BigInt(only.coefficient))
    : { atLeast: 0n };
}

/** Returns the signs of a number that is multiplied by a coefficient other than 0. */
function scaledSigns(signs: PossibleSigns, coefficient: bigint): PossibleSigns {
  if (coefficient > 0n) return signs;
  return {
    ...(signs.atMost !== undefined ? { atLeast: 0n } : {}),
    ...(signs.atLeast !== undefined ? { atMost: 0n } : {}),
  };
}

function valuesOf(plan: Plan, total: string): readonly [number, number] {
  const sum = mainSum(plan, total);
  const [read] = sumKindOf(sum).values(sum);
  if (!read?.grid) return [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const { lo, hi, exponent } = read.grid;
  return [Number(lo) * 2 ** exponent, Number(hi) * 2 ** exponent];
}

/** Returns the sum that a total is about: of what is measured for it first, the one that is not there to correct another. */
export function mainSum(plan: Plan, total: string): SumColumn {
  const { measurement } = elementAt(totalParts(plan, total), 0);
  return sumOf(plan, byName(plan.measurements, measurement));
}
