import { parseRational, toDouble } from "@lethe/core";
import { doubleAt, elementAt } from "@lethe/core/numeric";
import { cellsOf } from "../graph/index.ts";
import { cellMap, estimate, type GraphicalModel, type Measurement, measured } from "../inference/index.ts";
import { type Learned, measureEach, passes, type Stage, stageOf } from "../plan/index.ts";
import type { MarginalSource } from "../source/index.ts";
import { type Reconstructed, reconstruction } from "./reconstruct.ts";

/**
 * Measures every attribute and all pairs, reconstructs each pair from the tables that overlap it, and fits a law along the tree of pairs that lie furthest
 * from independence, noise aside. Nothing is chosen privately, so that time and memory follow from the domain alone: for tables of many columns.
 * Source: the reconstruction is {@link reconstruction}'s; the tree is Chow & Liu's 1968, by distance.
 * Errors: mechanism.spent never, for a plan's own session.
 */
export async function runResiduals(stages: readonly Stage[], source: MarginalSource): Promise<Learned> {
  const { merged, measurements, merging } = await measureEach(stages, source);
  const { sizes } = merging;
  const all: Measurement[] = [...measurements];
  const stage = stageOf(stages, "measure-pairs");
  if (stage) {
    const sigma = parseRational(stage.sigma);
    const variance = toDouble(sigma, "up") ** 2;
    for (const attributes of pairsOf(sizes.length)) {
      all.push(measured(attributes, await merging.measure(attributes, sigma), variance));
    }
  }
  return { model: residualModel(sizes, all), merged, measurements: all };
}

/** Reconstructs pairs from all noisy tables, and fits a law along the strongest tree of them: a function of released numbers alone. */
export function residualModel(sizes: readonly number[], all: readonly Measurement[]): GraphicalModel {
  const table = reconstruction(sizes, all);
  const fitted = sizes.length === 1 ? [table([0])] : strongestTree(sizes, table).map(table);
  return estimate(sizes, fitted, { steps: passes.last }).model;
}

function pairsOf(attributes: number): readonly (readonly [number, number])[] {
  return Array.from({ length: attributes }, (_, b) => b).flatMap((b) =>
    Array.from({ length: b }, (_, a) => [a, b] as const),
  );
}

/** Kruskal's algorithm on the distances from independence. */
function strongestTree(
  sizes: readonly number[],
  table: (attributes: readonly number[]) => Reconstructed,
): readonly (readonly number[])[] {
  const scored = pairsOf(sizes.length).map((pair) => ({ pair, score: dependence(sizes, pair, table) }));
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
