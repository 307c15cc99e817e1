import { doubleAt, elementAt } from "@lethe/core/numeric";
import type { Domain } from "../domain/index.ts";
import { combined, marginalsOf } from "../inference/index.ts";
import type { Learned } from "../plan/index.ts";

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
  /** Bytes of the model that was fitted. */
  readonly modelBytes: number;
}

/** A table that was measured, once or more. */
export interface TableError {
  readonly attributes: readonly string[];
  readonly cells: number;
  /** The mean standard deviation of a cell's noise, in rows. */
  readonly deviation: number;
  /** The mean total-variation distance from the exact table, were the noisy counts taken as they are: from the noise alone. At most 1. */
  readonly noiseDistance: number;
  /** The total-variation distance of the model's table from the noisy one, as counts over the rows: a released number. At most 1. */
  readonly modelDistance: number;
}

/** Tells the errors of each measured table. Tables that were not measured follow from the model, and nothing is claimed of them. */
export function synthesisReport({ model, merged, measurements }: Learned, domain: Domain): SynthesisReport {
  const marginal = marginalsOf(model);
  const rows = Math.max(1, model.total);
  return {
    version: 1,
    rows: Math.round(model.total),
    attributes: domain.map(({ name }, at) => ({
      ...{ name, values: elementAt(merged, at).places.length, toldApart: elementAt(merged, at).size },
    })),
    tables: combined(measurements).map(({ attributes, values, variances }): TableError => {
      const chances = marginal(attributes);
      const deviations = variances.map(Math.sqrt);
      const total = deviations.reduce((sum, deviation) => sum + deviation, 0);
      const apart = values.reduce(
        (sum, value, cell) => sum + Math.abs(value - model.total * doubleAt(chances, cell)),
        0,
      );
      return {
        attributes: attributes.map((attribute) => elementAt(domain, attribute).name),
        cells: values.length,
        deviation: total / values.length,
        noiseDistance: Math.min(1, (Math.sqrt(2 / Math.PI) * total) / (2 * rows)),
        modelDistance: Math.min(1, apart / (2 * rows)),
      };
    }),
    modelBytes: model.beliefs.reduce((bytes, { byteLength }) => bytes + byteLength, 0),
  };
}
