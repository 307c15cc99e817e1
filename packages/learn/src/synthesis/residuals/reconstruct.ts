import { doubleAt, elementAt, intAt } from "@lethe/core/numeric";
import { cellsOf } from "../graph/index.ts";
import { cellMap, type Measurement, type NoisyResidual } from "../inference/index.ts";
import { knownResiduals, subsetsOf } from "./known-residuals.ts";

/** A table made of the residuals of noisy ones. */
export interface Reconstructed extends Measurement {
  /** Whether each of its parts was measured. If not, the table takes the part that is missing as 0, and says too little of it. */
  readonly complete: boolean;
}

/**
 * Prepares sets of attributes ↦ their tables, of all that noisy tables and residuals say of them: a table is the sum of the residuals of its subsets, each of which is read
 * off every noisy table that holds it, and off noisy residuals of its own, and averaged by precision. Where the noise of each table is alike and independent in all its cells, this is the
 * generalized least squares of the whole, since residuals of different sets are uncorrelated; and it needs no model of the joint, so that it serves
 * tables of many columns. Tables agree where they overlap; cells may be negative. Proof: ./reconstruct.proof.md
 * Source: Xiao, He, Zhang & Kifer 2023 (arXiv 2305.08175); Mullins et al. 2024 (arXiv 2410.01091).
 * Direction: exact.
 * @example reconstruction([2, 3], [measured([0, 1], noisy, 25)])([0]).variances // => Float64Array [75, 75]
 */
export function reconstruction(
  sizes: readonly number[],
  tables: readonly Measurement[],
  residuals: readonly NoisyResidual[] = [],
): (attributes: readonly number[]) => Reconstructed {
  const known = knownResiduals(sizes);
  for (const table of tables) known.addTable(table);
  for (const residual of residuals) known.addResidual(residual);
  return (attributes) => {
    const values = new Float64Array(cellsOf(sizes, attributes));
    let [variance, complete] = [0, true];
    for (const subset of subsetsOf(attributes)) {
      const residual = known.of(subset);
      if (!residual) {
        // Of an attribute of one value there is no residual to measure.
        if (subset.every((attribute) => elementAt(sizes, attribute) > 1)) complete = false;
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
