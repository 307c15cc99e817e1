import { doubleAt, elementAt, intAt } from "@lethe/core/numeric";
import { cellsOf, type JunctionTree, junctionTree } from "../graph/index.ts";
import { cellMap } from "./cell-map.ts";
import type { GraphicalModel } from "./graphical-model.ts";
import { combined, type Measurement, noisyTotal } from "./measurement.ts";
import { propagation } from "./propagation.ts";

/** A model and the logarithms that it is the exponential of: one number for each measured cell, by the names of the tables. */
export interface Estimate {
  readonly model: GraphicalModel;
  /** Where a later estimate with more measurements starts. */
  readonly potentials: ReadonlyMap<string, Float64Array>;
  /** ½·Σ (expected − measured)²/σ² over all measured cells. */
  readonly loss: number;
}

/** How an estimate is sought. */
export interface EstimateOptions {
  /** Passes over the junction tree, ≥ 1. */
  readonly steps: number;
  readonly start?: ReadonlyMap<string, Float64Array>;
}

/**
 * The law, of all that factor along the measured tables, whose expected tables lie nearest to the noisy ones, by squares over variances: mirror descent in
 * the logarithms, with momentum that is given up when the loss rises. Deterministic; every data set gives finite numbers.
 * Source: McKenna, Sheldon & Miklau 2019 (arXiv 1901.09136), Alg. 1 and 2 (Private-PGM); momentum with restarts: O'Donoghue & Candès 2015.
 */
export function estimate(
  sizes: readonly number[],
  measurements: readonly Measurement[],
  { steps, start }: EstimateOptions,
): Estimate {
  const known = combined(measurements);
  const tree = junctionTree(
    sizes,
    known.map(({ attributes }) => attributes),
  );
  const total = noisyTotal(known);
  const search = searchOf(sizes, tree, known, Math.max(1, total));
  const first = known.map(
    ({ attributes, values }) => start?.get(attributes.join(","))?.slice() ?? new Float64Array(values.length),
  );
  const { best, beliefs, loss } = search.descend(first, steps);
  return {
    model: { sizes, tree, beliefs, total },
    potentials: new Map(known.map(({ attributes }, at) => [attributes.join(","), elementAt(best, at)])),
    loss,
  };
}

interface Found {
  readonly best: readonly Float64Array[];
  readonly beliefs: readonly Float64Array[];
  readonly loss: number;
}

function searchOf(
  sizes: readonly number[],
  tree: JunctionTree,
  known: readonly Measurement[],
  total: number,
): { descend(first: readonly Float64Array[], steps: number): Found } {
  const { cells, run } = propagation(sizes, tree);
  // Each table is read off, and enters by, the smallest clique that holds it.
  const places = known.map(({ attributes }) => {
    const clique = smallestClique(sizes, tree, attributes);
    return { clique, map: cellMap(sizes, elementAt(tree.cliques, clique), attributes) };
  });
  /** Beliefs, the loss, and its slope by every expected count. */
  function evaluate(logs: readonly Float64Array[]) {
    const potentials = cells.map((count) => new Float64Array(count));
    for (const [at, { clique, map }] of places.entries()) {
      const [into, log] = [elementAt(potentials, clique), elementAt(logs, at)];
      for (let cell = 0; cell < into.length; cell++) {
        into[cell] = doubleAt(into, cell) + doubleAt(log, intAt(map, cell));
      }
    }
    const beliefs = run(potentials);
    let loss = 0;
    const slopes = known.map(({ values, variances }, at) => {
      const { clique, map } = elementAt(places, at);
      const slope = new Float64Array(values.length);
      const belief = elementAt(beliefs, clique);
      for (let cell = 0; cell < belief.length; cell++) {
        const place = intAt(map, cell);
        slope[place] = doubleAt(slope, place) + doubleAt(belief, cell);
      }
      for (let cell = 0; cell < slope.length; cell++) {
        const residual = total * doubleAt(slope, cell) - doubleAt(values, cell);
        const weighted = residual / doubleAt(variances, cell);
        loss += (residual * weighted) / 2;
        slope[cell] = weighted;
      }
      return slope;
    });
    return { beliefs, loss, slopes };
  }
  return {
    descend(first, steps) {
      const precision = known.reduce(
        (sum, { variances }) => sum + 1 / variances.reduce((least, variance) => Math.min(least, variance)),
        0,
      );
      // Relative entropy is 1/total-strongly convex in ‖·‖₁, and no table's ‖·‖₂ exceeds it: with this step the loss cannot rise.
      const safe = precision > 0 ? 1 / (total * precision) : 0;
      let step = safe * 4;
      let at = first;
      let here = evaluate(at);
      let best = { at, ...here };
      let before = at;
      let momentum = 0;
      for (let pass = 1; pass < steps; pass++) {
        const share = momentum / (momentum + 3);
        const ahead = at.map((log, table) => {
          const [old, slope] = [elementAt(before, table), elementAt(here.slopes, table)];
          const next = new Float64Array(log.length);
          for (let cell = 0; cell < log.length; cell++) {
            const x = doubleAt(log, cell);
            next[cell] = x + share * (x - doubleAt(old, cell)) - step * doubleAt(slope, cell);
          }
          return next;
        });
        const there = evaluate(ahead);
        if (there.loss <= here.loss) {
          [before, at, here] = [at, ahead, there];
          momentum += 1;
          step *= 1.1;
          if (there.loss < best.loss) best = { at, ...there };
        } else {
          // Back to the best, without momentum and with shorter steps; never shorter than the safe one.
          [before, at, here] = [best.at, best.at, best];
          momentum = 0;
          step = Math.max(safe, step / 2);
        }
      }
      return { best: best.at, beliefs: best.beliefs, loss: best.loss };
    },
  };
}

function smallestClique(
  sizes: readonly number[],
  { cliques }: JunctionTree,
  attributes: readonly number[],
): number {
  let [best, cells] = [-1, Number.POSITIVE_INFINITY];
  for (const [at, clique] of cliques.entries()) {
    const size = cellsOf(sizes, clique);
    if (size < cells && attributes.every((attribute) => clique.includes(attribute)))
      [best, cells] = [at, size];
  }
  return best;
}
