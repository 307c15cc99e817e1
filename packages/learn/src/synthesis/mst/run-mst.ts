import { parseRational, toDouble } from "@lethe/core";
import { elementAt } from "@lethe/core/numeric";
import { cellsOf } from "../graph/index.ts";
import { estimate, type Measurement, marginalsOf, measured } from "../inference/index.ts";
import { type Learned, measureEach, noiseDistance, passes, type Stage, stageOf } from "../plan/index.ts";
import type { MarginalSource } from "../source/index.ts";

/**
 * Runs MST: a pair at a time is drawn of those that would join two parts of the forest, the likelier the further its exact counts lie from what single
 * attributes say, less the distance that noise would give. The pairs of the tree are measured, and a law that factors along it is fitted.
 * Source: McKenna, Miklau & Sheldon 2021 (arXiv 2108.04978), Alg. 1 to 3.
 * Errors: mechanism.spent never, for a plan's own session.
 */
export async function runMst(stages: readonly Stage[], source: MarginalSource): Promise<Learned> {
  const { merged, measurements, merging } = await measureEach(stages, source);
  const { sizes } = merging;
  const [tree, tables] = [stageOf(stages, "choose-tree"), stageOf(stages, "measure-chosen")];
  const all: Measurement[] = [...measurements];
  if (tree && tables) {
    const sigma = parseRational(tables.sigma);
    const epsilon = parseRational(tree.epsilon);
    const first = estimate(sizes, measurements, { steps: passes.first }).model;
    const marginal = marginalsOf(first);
    const pairs = sizes.flatMap((_, b) => Array.from({ length: b }, (__, a) => [a, b] as const));
    const candidates = pairs.map((attributes) => ({
      attributes,
      estimate: marginal(attributes).map((chance) => chance * first.total),
      weight: 1,
      allowance: noiseDistance(sigma, cellsOf(sizes, attributes)),
    }));
    const part = sizes.map((_, at) => at);
    const chosen: (readonly number[])[] = [];
    for (let choice = 0; choice < tree.choices; choice++) {
      const open = candidates.filter(({ attributes: [a, b] }) => part[a] !== part[b]);
      const { attributes } = elementAt(open, await merging.choose(open, epsilon));
      chosen.push(attributes);
      const [kept, joined] = [elementAt(part, attributes[0]), elementAt(part, attributes[1])];
      for (const [at, of] of part.entries()) if (of === joined) part[at] = kept;
    }
    const variance = toDouble(sigma, "up") ** 2;
    for (const attributes of chosen) {
      all.push(measured(attributes, await merging.measure(attributes, sigma), variance));
    }
  }
  const { model } = estimate(sizes, all, { steps: passes.last });
  return { model, merged, measurements: all };
}
