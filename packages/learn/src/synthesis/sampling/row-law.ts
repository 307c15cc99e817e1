import type { BitSource } from "@lethe/core";
import { type GraphicalModel, marginalsOf } from "../inference/index.ts";
import { sampleRows } from "./sample-rows.ts";

/** A law of rows that follows from noisy answers alone: what a synthesis learns, however it was learned. */
export interface RowLaw {
  /** Values of each attribute. */
  readonly sizes: readonly number[];
  /** The estimated number of rows, at least 0; not a whole number. */
  readonly total: number;
  /** Bytes of the numbers that it is made of. */
  readonly bytes: number;
  /** Returns the probabilities of the cells of some attributes in order, the last fastest. */
  chances(attributes: readonly number[]): Float64Array;
  /** Draws rows as codes, a column an attribute. */
  draw(rows: number, bits: BitSource): readonly Int32Array[];
}

/** The law of a graphical model. */
export function graphicalLaw(model: GraphicalModel): RowLaw {
  const { sizes, total, beliefs } = model;
  return {
    ...{ sizes, total, chances: marginalsOf(model) },
    bytes: beliefs.reduce((bytes, { byteLength }) => bytes + byteLength, 0),
    draw: (rows, bits) => sampleRows(model, rows, bits),
  };
}
