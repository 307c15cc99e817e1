import { doubleAt, elementAt, intAt } from "@lethe/core/numeric";
import type { Domain } from "../domain/index.ts";
import { cellsOf } from "../graph/index.ts";
import { combined, combinedResiduals } from "../inference/index.ts";
import { reconstruction } from "../residuals/index.ts";
import type { Learned } from "../sampling/index.ts";

/** What may be told of a synthetic table, all of it from noisy answers. JSON throughout. */
export interface SynthesisReport {
  readonly version: 1;
  /** The noisy number of rows, at least 0. */
  readonly rows: number;
  readonly attributes: readonly {
    readonly name: string;
    /** Values of the domain, and as many as are told apart: the others are merged into one. */
    readonly values: number;
    readonly toldApart: number;
  }[];
  readonly tables: readonly TableError[];
  /** Bytes of the law that was fitted. */
  readonly modelBytes: number;
}

/** A table that was measured, once or more, or made of residuals that were. */
export interface TableError {
  readonly attributes: readonly string[];
  readonly cells: number;
  /** The mean standard deviation of a cell's noise, in rows. */
  readonly deviation: number;
  /** The mean total-variation distance from the exact table, were the noisy counts taken as they are: from the noise alone. At most 1. */
  readonly noiseDistance: number;
  /**
   * The total-variation distance of the rows' table from the noisy one, as shares of rows: what fitting and drawing add. Of a table that is made of residuals, from what they are without negative
   * cells. A released number, at most 1.
   */
  readonly rowsDistance: number;
}

/**
 * Tells the errors of each measured table: of its noise, and of rows that were drawn, as codes over merged values. Tables that were not measured follow from the law, and nothing is
 * claimed of them.
 */
export function synthesisReport(
  learned: Learned,
  domain: Domain,
  columns: readonly Int32Array[],
): SynthesisReport {
  const { law, merged } = learned;
  const rows = Math.max(1, law.total);
  const drawn = Math.max(1, columns[0]?.length ?? 0);
  return {
    version: 1,
    rows: Math.round(law.total),
    attributes: domain.map(({ name }, at) => ({
      ...{ name, values: elementAt(merged, at).places.length, toldApart: elementAt(merged, at).size },
    })),
    tables: measuredTables(learned).map(({ attributes, counts, variances }): TableError => {
      const own = countRows(law.sizes, columns, attributes);
      const deviations = variances.map(Math.sqrt);
      const total = deviations.reduce((sum, deviation) => sum + deviation, 0);
      const apart = counts.reduce(
        (sum, count, cell) => sum + Math.abs(count - (rows * doubleAt(own, cell)) / drawn),
        0,
      );
      return {
        attributes: attributes.map((attribute) => elementAt(domain, attribute).name),
        cells: counts.length,
        deviation: total / counts.length,
        noiseDistance: Math.min(1, (Math.sqrt(2 / Math.PI) * total) / (2 * rows)),
        rowsDistance: Math.min(1, apart / (2 * rows)),
      };
    }),
    modelBytes: law.bytes,
  };
}

/** The tables that were measured; and those of residuals, with the law's counts and the noise of the reconstruction. */
function measuredTables({ law, measurements, residuals }: Learned): readonly {
  readonly attributes: readonly number[];
  readonly counts: Float64Array;
  readonly variances: Float64Array;
}[] {
  const tables = combined(measurements);
  const told = new Set(tables.map(({ attributes }) => attributes.join(",")));
  const reconstructed = reconstruction(law.sizes, tables, residuals);
  return [
    ...tables.map(({ attributes, values, variances }) => ({ attributes, counts: values, variances })),
    ...combinedResiduals(residuals)
      .filter(({ attributes }) => !told.has(attributes.join(",")))
      .map(({ attributes }) => ({
        attributes,
        counts: law.chances(attributes).map((chance) => chance * law.total),
        variances: reconstructed(attributes).variances,
      })),
  ];
}

function countRows(
  sizes: readonly number[],
  columns: readonly Int32Array[],
  attributes: readonly number[],
): Float64Array {
  const counts = new Float64Array(cellsOf(sizes, attributes));
  const own = attributes.map((attribute) => ({
    size: elementAt(sizes, attribute),
    codes: elementAt(columns, attribute),
  }));
  for (let row = 0; row < (own[0]?.codes.length ?? 0); row++) {
    let cell = 0;
    for (const { size, codes } of own) cell = cell * size + intAt(codes, row);
    counts[cell] = doubleAt(counts, cell) + 1;
  }
  return counts;
}
