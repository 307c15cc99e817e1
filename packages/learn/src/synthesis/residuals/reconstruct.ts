import { doubleAt, elementAt, intAt } from "@lethe/core/numeric";
import { cellsOf } from "../graph/index.ts";
import { addUp, cellMap, type Measurement } from "../inference/index.ts";
import { takeMeans } from "./residual.ts";

/** A table made of the residuals of noisy ones. */
export interface Reconstructed extends Measurement {
  /** Whether each of its parts was measured. If not, the table takes the part that is missing as 0, and says too little of it. */
  readonly complete: boolean;
}

/** What is known of one set of attributes beyond its subsets, and the variance along each of its directions. */
interface Residual {
  readonly values: Float64Array;
  readonly variance: number;
}

/**
 * Prepares sets of attributes ↦ their tables, of all that noisy tables say of them: a table is the sum of the residuals of its subsets, each of which is read
 * off every noisy table that holds it and averaged by precision. Where the noise of each table is alike and independent in all its cells, this is the
 * generalized least squares of the whole, since residuals of different sets are uncorrelated; and it needs no model of the joint, so that it serves
 * tables of many columns. Tables agree where they overlap; cells may be negative. Proof: ./reconstruct.proof.md
 * Source: Xiao, He, Zhang & Kifer 2023 (arXiv 2305.08175); Mullins et al. 2024 (arXiv 2410.01091).
 * Direction: exact.
 * @example reconstruction([2, 3], [measured([0, 1], noisy, 25)])([0]).variances // => Float64Array [75, 75]
 */
export function reconstruction(
  sizes: readonly number[],
  measurements: readonly Measurement[],
): (attributes: readonly number[]) => Reconstructed {
  const known = new Map<string, Residual | null>();
  const residualOf = (attributes: readonly number[]): Residual | null => {
    const key = attributes.join(",");
    const found = known.get(key);
    if (found !== undefined) return found;
    const residual = averaged(sizes, measurements, attributes);
    known.set(key, residual);
    return residual;
  };
  return (attributes) => {
    const values = new Float64Array(cellsOf(sizes, attributes));
    let [variance, complete] = [0, true];
    for (const subset of subsetsOf(attributes)) {
      const residual = residualOf(subset);
      if (!residual) {
        complete = false;
        continue;
      }
      // Spread evenly over the attributes that the subset does not name.
      const share = cellsOf(sizes, subset) / values.length;
      const map = cellMap(sizes, attributes, subset);
      for (let cell = 0; cell < values.length; cell++) {
        values[cell] = doubleAt(values, cell) + share * doubleAt(residual.values, intAt(map, cell));
      }
      const kept = subset.reduce((product, attribute) => product * (1 - 1 / elementAt(sizes, attribute)), 1);
      variance += residual.variance * kept * share * share;
    }
    return { attributes, values, variances: new Float64Array(values.length).fill(variance), complete };
  };
}

function averaged(
  sizes: readonly number[],
  measurements: readonly Measurement[],
  attributes: readonly number[],
): Residual | null {
  const cells = cellsOf(sizes, attributes);
  const shape = attributes.map((attribute) => elementAt(sizes, attribute));
  const sum = new Float64Array(cells);
  let precision = 0;
  for (const { attributes: measured, values, variances } of measurements) {
    if (!attributes.every((attribute) => measured.includes(attribute))) continue;
    // A cell of the sums has the noise of all that it adds up.
    const variance = variances.reduce((total, each) => total + each, 0) / cells;
    const residual = takeMeans(shape, addUp(values, cellMap(sizes, measured, attributes), cells));
    for (let cell = 0; cell < cells; cell++)
      sum[cell] = doubleAt(sum, cell) + doubleAt(residual, cell) / variance;
    precision += 1 / variance;
  }
  if (!(precision > 0)) return null;
  return { values: sum.map((value) => value / precision), variance: 1 / precision };
}

/** All subsets, in order, the empty one first. */
function subsetsOf(attributes: readonly number[]): readonly (readonly number[])[] {
  return Array.from({ length: 2 ** attributes.length }, (_, chosen) =>
    attributes.filter((__, at) => Math.floor(chosen / 2 ** at) % 2 === 1),
  );
}
