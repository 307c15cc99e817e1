import { parseRational, toDouble } from "@lethe/core";
import { elementAt } from "@lethe/core/numeric";
import { cellsOf } from "../graph/index.ts";
import {
  estimate,
  type GraphicalModel,
  type Measurement,
  marginalsOf,
  measured,
} from "../inference/index.ts";
import { measureEach, noiseDistance, passes, type Stage, stageOf } from "../plan/index.ts";
import type { Measured } from "../sampling/index.ts";
import type { MarginalSource } from "../source/index.ts";

/**
 * Runs MST: a pair at a time is drawn of those that would join two parts of the forest, the likelier the further its exact counts lie from what was measured
 * before, less the distance that noise would give. The pairs of the tree are measured.
 *
 * With a target its table with every other attribute is measured first, and the tree is one of the others, by what the target does not say of them: rows then follow a
 * tree-augmented Bayes model, and a classifier meets every column's own link with the target.
 * Source: McKenna, Miklau & Sheldon 2021 (arXiv 2108.04978), Alg. 1 to 3; with a target the tree of Friedman, Geiger & Goldszmidt 1997, by distance.
 * Errors: mechanism.spent never, for a plan's own session.
 */
export async function runMst(
  stages: readonly Stage[],
  source: MarginalSource,
  target: number | null,
): Promise<Measured> {
  const { merged, measurements, merging } = await measureEach(stages, source);
  const { sizes } = merging;
  const others = [...sizes.keys()].filter((attribute) => attribute !== target);
  const all: Measurement[] = [...measurements];
  const own = stageOf(stages, "measure-target");
  if (own && target !== null) {
    const pairs = others.map((attribute) => [attribute, target].sort((a, b) => a - b));
    all.push(...(await measureAll(pairs, own.sigma, merging)));
  }
  const [tree, tables] = [stageOf(stages, "choose-tree"), stageOf(stages, "measure-chosen")];
  if (tree && tables) {
    const { model } = estimate(sizes, all, { steps: passes.first });
    const pairs = await chooseTree(others, { ...tree, sigma: tables.sigma }, { model, source: merging });
    all.push(...(await measureAll(pairs, tables.sigma, merging)));
  }
  return { merged, measurements: all, residuals: [] };
}

async function measureAll(
  pairs: readonly (readonly number[])[],
  text: string,
  source: MarginalSource,
): Promise<readonly Measurement[]> {
  const sigma = parseRational(text);
  const variance = toDouble(sigma, "up") ** 2;
  const tables: Measurement[] = [];
  for (const attributes of pairs)
    tables.push(measured(attributes, await source.measure(attributes, sigma), variance));
  return tables;
}

/** Draws the pairs of a tree of some attributes, one at a time. */
async function chooseTree(
  attributes: readonly number[],
  stage: { readonly choices: number; readonly epsilon: string; readonly sigma: string },
  { model, source }: { readonly model: GraphicalModel; readonly source: MarginalSource },
): Promise<readonly (readonly number[])[]> {
  const [sigma, epsilon] = [parseRational(stage.sigma), parseRational(stage.epsilon)];
  const marginal = marginalsOf(model);
  const candidates = attributes
    .flatMap((b) => attributes.filter((a) => a < b).map((a) => [a, b] as const))
    .map((pair) => ({
      attributes: pair,
      estimate: marginal(pair).map((chance) => chance * model.total),
      weight: 1,
      allowance: noiseDistance(toDouble(sigma, "up"), cellsOf(source.sizes, pair)),
    }));
  const part = [...source.sizes.keys()];
  const chosen: (readonly number[])[] = [];
  for (let choice = 0; choice < stage.choices; choice++) {
    const open = candidates.filter(({ attributes: [a, b] }) => part[a] !== part[b]);
    const { attributes: pair } = elementAt(open, await source.choose(open, epsilon));
    chosen.push(pair);
    const [kept, joined] = [elementAt(part, pair[0]), elementAt(part, pair[1])];
    for (const [at, of] of part.entries()) if (of === joined) part[at] = kept;
  }
  return chosen;
}
