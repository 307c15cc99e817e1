import { parseRational, toDouble } from "@lethe/core";
import { type MergedValues, mergeCounts, mergeRare } from "../domain/index.ts";
import type { Measurement } from "../inference/index.ts";
import type { MarginalSource } from "../source/index.ts";
import { type Stage, stageOf } from "./stage.ts";

/** Standard deviations of noise below which a count tells little. */
const rareBelow = 3;

/** Measures every attribute by itself, and merges values whose noisy counts are rare: a sum of m counts has m times the variance. */
export async function measureEach(
  stages: readonly Stage[],
  source: MarginalSource,
): Promise<{
  readonly merged: readonly MergedValues[];
  readonly measurements: readonly Measurement[];
  /** The source that counts merged values. */
  readonly merging: MarginalSource;
}> {
  const merged: MergedValues[] = [];
  const measurements: Measurement[] = [];
  const stage = stageOf(stages, "measure-each");
  if (stage) {
    const sigma = parseRational(stage.sigma);
    const deviation = toDouble(sigma, "up");
    for (const attribute of source.sizes.keys()) {
      const values = await source.measure([attribute], sigma);
      const places = mergeRare(values, rareBelow * deviation);
      merged.push(places);
      const variances = mergeCounts(new Float64Array(values.length).fill(deviation ** 2), places);
      measurements.push({ attributes: [attribute], values: mergeCounts(values, places), variances });
    }
  }
  return { merged, measurements, merging: source.merging(merged) };
}
