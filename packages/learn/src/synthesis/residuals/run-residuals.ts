import { parseRational, toDouble } from "@lethe/core";
import { doubleAt, elementAt } from "@lethe/core/numeric";
import { cellsOf } from "../graph/index.ts";
import { cellMap, estimate, type GraphicalModel, type Measurement, measured } from "../inference/index.ts";
import { measureEach, passes, type Shape, type Stage, stageOf } from "../plan/index.ts";
import type { Measured } from "../sampling/index.ts";
import type { MarginalSource } from "../source/index.ts";
import { type Reconstructed, reconstruction } from "./reconstruct.ts";

/**
 * Measures every attribute and all pairs. Nothing is chosen privately, so that time and memory follow from the domain alone: for tables of many columns.
 * Errors: mechanism.spent never, for a plan's own session.
 */
export async function runResiduals(stages: readonly Stage[], source: MarginalSource): Promise<Measured> {
  const { merged, measurements, merging } = await measureEach(stages, source);
  const { sizes } = merging;
  const all: Measurement[] = [...measurements];
  const stage = stageOf(stages, "measure-pairs");
  if (stage) {
    const sigma = parseRational(stage.sigma);
    const variance = toDouble(sigma, "up") ** 2;
    for (const attributes of pairsOf([...sizes.keys()])) {
      all.push(measured(attributes, await merging.measure(attributes, sigma), variance));
    }
  }
  return { merged, measurements: all, residuals: [] };
}

/**
 * Reconstructs each pair from all noisy tables that overlap it, and fits a law along the tree of pairs that lie furthest from independence, noise aside. With a target the
 * tree is one of the others, and the target's pair with each of them stands beside it.
 * Source: the reconstruction is {@link reconstruction}'s; the tree is Chow & Liu's 1968, by distance.
 */
export function residualModel({ sizes, target }: Shape, all: readonly Measurement[]): GraphicalModel {
  const table = reconstruction(sizes, all);
  const others = [...sizes.keys()].filter((attribute) => attribute !== target);
  const own = target === null ? [] : others.map((other) => [other, target].sort((a, b) => a - b));
  const tree = strongestTree(sizes, others, table);
  const fitted = sizes.length === 1 ? [table([0])] : [...own, ...tree].map(table);
  return estimate(sizes, fitted, { steps: passes.last }).model;
}

function pairsOf(attributes: readonly number[]): readonly (readonly [number, number])[] {
  return attributes.flatMap((b) => attributes.filter((a) => a < b).map((a) => [a, b] as const));
}

/** Kruskal's algorithm on the distances from independence. */
function strongestTree(
  sizes: readonly number[],
  attributes: readonly number[],
  table: (attributes: readonly number[]) => Reconstructed,
): readonly (readonly number[])[] {
  const scored = pairsOf(attributes).map((pair) => ({ pair, score: dependence(sizes, pair, table) }));
  const part = sizes.map((_, at) => at);
  const kept: (readonly number[])[] = [];
  for (const { pair } of scored.toSorted((x, y) => y.score - x.score)) {
    const [a, b] = [elementAt(part, pair[0]), elementAt(part, pair[1])];
    if (a === b) continue;
    kept.push(pair);
    for (const [at, of] of part.entries()) if (of === b) part[at] = a;
  }
  return kept;
}

/** ‖table − product of its margins‖₁, less what noise alone would give. */
function dependence(
  sizes: readonly number[],
  pair: readonly [number, number],
  table: (attributes: readonly number[]) => Reconstructed,
): number {
  const { values, variances } = table(pair);
  const total = Math.max(1, doubleAt(table([]).values, 0));
  const margins = pair.map((attribute) => ({
    values: table([attribute]).values,
    map: cellMap(sizes, pair, [attribute]),
  }));
  let distance = 0;
  for (let cell = 0; cell < values.length; cell++) {
    const expected = margins.reduce(
      (product, margin) => product * Math.max(0, doubleAt(margin.values, elementAt(margin.map, cell))),
      1 / total,
    );
    distance += Math.abs(doubleAt(values, cell) - expected);
  }
  return distance - Math.sqrt((2 / Math.PI) * doubleAt(variances, 0)) * cellsOf(sizes, pair);
}
