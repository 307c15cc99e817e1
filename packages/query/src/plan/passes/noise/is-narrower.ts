import { noiseQuantile, noiseQuantileRange } from "@lethe/core/accuracy";
import type { Noise } from "@lethe/core/mechanisms";
import { elementAt } from "@lethe/core/numeric";
import { noised } from "../../noised.ts";
import type { Measurement, PlannedTotals, TreeMeasurement } from "../../plan.ts";
import type { DerivedNoised } from "../derive-tree.ts";
import type { ChosenQuestion } from "./choose-mechanisms.ts";

const confidence = 0.95;

/** The parts of a question that decide how wide its intervals are: its noises, how far a unit moves what they are added to, and how answers weigh it. */
interface Noisy extends Pick<ChosenQuestion, "measurements" | "trees" | "totals"> {
  readonly priced: readonly Measurement[];
  readonly pricedTrees: readonly TreeMeasurement[];
  readonly pricedTotals: readonly Pick<PlannedTotals, "measurements">[];
}

/**
 * Whether the intervals of questions with one kind of noise are narrower in total than those with another. Exact quantiles are computed only where
 * their ranges do not tell: sums of doubles rise with what is summed, so they never tell otherwise.
 */
export function isNarrower(these: readonly Noisy[], those: readonly Noisy[]): boolean {
  const range = onceEach((noise) => noiseQuantileRange(noise, confidence));
  const least = (noise: Noise): number => range(noise).least;
  const most = (noise: Noise): number => range(noise).most;
  if (widthOf(these, most) < widthOf(those, least)) return true;
  if (widthOf(these, least) >= widthOf(those, most)) return false;
  const exact = onceEach((noise) => Number(noiseQuantile(noise, confidence)));
  return widthOf(these, exact) < widthOf(those, exact);
}

/** Measurements alike have noises alike. */
function onceEach<T>(compute: (noise: Noise) => T): (noise: Noise) => T {
  const known = new Map<string, T>();
  return (noise) => {
    const key = JSON.stringify(noise);
    const value = known.get(key) ?? compute(noise);
    known.set(key, value);
    return value;
  };
}

/** Returns the sum of the intervals' half-widths, each in units of what one unit changes and weighed as the answers weigh them. */
function widthOf(parts: readonly Noisy[], halfWidth: (noise: Noise) => number): number {
  return parts.reduce((total, part) => total + widthOfPart(part, halfWidth), 0);
}

function widthOfPart(part: Noisy, halfWidth: (noise: Noise) => number): number {
  const { measurements, trees, totals, priced, pricedTrees, pricedTotals } = part;
  const measured: readonly DerivedNoised[] = [
    ...measurements,
    ...trees,
    ...totals.flatMap((total) => total.measurements),
  ];
  const all = noised({ measurements: priced, trees: pricedTrees, totals: pricedTotals });
  return all.reduce((total, { noise }, at) => {
    const { magnitude, importance } = elementAt(measured, at);
    if (magnitude === 0n) return total;
    return total + (Math.sqrt(importance) * halfWidth(noise)) / Number(magnitude);
  }, 0);
}
