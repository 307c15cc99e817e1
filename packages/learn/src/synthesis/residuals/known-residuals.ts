import { residualOf } from "@lethe/core/mechanisms";
import { doubleAt, elementAt } from "@lethe/core/numeric";
import { cellsOf } from "../graph/index.ts";
import { addUp, cellMap, type Measurement, type NoisyResidual } from "../inference/index.ts";
import { takeMeans } from "./take-means.ts";

/** What is known of one set of attributes beyond its subsets: a table without means, and the variance along each of its directions. */
export interface Residual {
  readonly values: Float64Array;
  readonly variance: number;
}

/** The residuals of sets of attributes, each the mean of all noisy answers that say something of it, weighted by precision. */
export interface KnownResiduals {
  /** Returns what is known of a set; null where nothing is. */
  of(attributes: readonly number[]): Residual | null;
  /** Returns the variance along each direction of a set's residual; infinite where nothing is known of it. */
  varianceOf(attributes: readonly number[]): number;
  /** Takes in a noisy table, which says something of every set of its attributes. */
  addTable(table: Measurement): void;
  /** Takes in a noisy residual, which says something of its own set alone. */
  addResidual(residual: NoisyResidual): void;
}

/** Gathers residuals of attributes of these sizes. What came before is not read again when more comes. */
export function knownResiduals(sizes: readonly number[]): KnownResiduals {
  const weighted = new Map<string, { readonly sum: Float64Array; precision: number }>();
  function add(attributes: readonly number[], values: Float64Array, variance: number): void {
    const key = attributes.join(",");
    const before = weighted.get(key) ?? { sum: new Float64Array(values.length), precision: 0 };
    for (let cell = 0; cell < values.length; cell++)
      before.sum[cell] = doubleAt(before.sum, cell) + doubleAt(values, cell) / variance;
    before.precision += 1 / variance;
    weighted.set(key, before);
  }
  const shapeOf = (attributes: readonly number[]) =>
    attributes.map((attribute) => elementAt(sizes, attribute));
  return {
    of(attributes) {
      const known = weighted.get(attributes.join(","));
      if (!known) return null;
      return { values: known.sum.map((sum) => sum / known.precision), variance: 1 / known.precision };
    },
    varianceOf(attributes) {
      return 1 / (weighted.get(attributes.join(","))?.precision ?? 0);
    },
    addTable({ attributes, values, variances }) {
      const total = variances.reduce((sum, each) => sum + each, 0);
      for (const subset of subsetsOf(attributes)) {
        const cells = cellsOf(sizes, subset);
        const table = addUp(values, cellMap(sizes, attributes, subset), cells);
        // A cell of the sums has the noise of all that it adds up.
        add(subset, takeMeans(shapeOf(subset), table), total / cells);
      }
    },
    addResidual({ attributes, values, variance }) {
      add(attributes, residualOf(shapeOf(attributes), values), variance);
    },
  };
}

/** Returns all subsets, in order, the empty one first. */
export function subsetsOf(attributes: readonly number[]): readonly (readonly number[])[] {
  return Array.from({ length: 2 ** attributes.length }, (_, chosen) =>
    attributes.filter((__, at) => Math.floor(chosen / 2 ** at) % 2 === 1),
  );
}
