import { invalidParameter } from "@lethe/core/errors";
import { elementAt } from "@lethe/core/numeric";
import type { CheckedNetwork } from "./network/read-network.ts";

/**
 * Rows that their owner holds, those of one unit after another. Arrays over a SharedArrayBuffer are read by several threads without a copy. What stands
 * in them is data: an entry that is not finite, an index or a label outside its range makes its row count a gradient of 0.
 */
export interface UnitRows {
  /** Rows × inputs. */
  readonly inputs: Float32Array;
  /** Rows × labels of a row. */
  readonly labels: Float32Array;
  /** Unit u has the rows from offsets[u] to before offsets[u + 1]. Begins with 0, never falls, ends with the number of rows. */
  readonly offsets: Uint32Array;
}

/**
 * Makes one unit of every row.
 * @example rowUnits(3) // => offsets 0, 1, 2, 3
 */
export const rowUnits = (rows: number): Uint32Array => Uint32Array.from({ length: rows + 1 }, (_, i) => i);

/** Checks that arrays fit a network and each other. Errors: parameter.invalid, which names lengths and never an entry. */
export function checkRows({ inputs, labels }: CheckedNetwork, rows: UnitRows): UnitRows {
  const { offsets } = rows;
  const count = offsets.length === 0 ? 0 : elementAt(offsets, offsets.length - 1);
  if (offsets[0] !== 0 || offsets.some((at, u) => u > 0 && at < elementAt(offsets, u - 1)))
    throw invalidParameter("offsets", "other numbers", "0, then numbers that never fall");
  if (rows.inputs.length !== count * inputs)
    throw invalidParameter("inputs' length", rows.inputs.length, `${count} rows × ${inputs}`);
  if (rows.labels.length !== count * labels)
    throw invalidParameter("labels' length", rows.labels.length, `${count} rows × ${labels}`);
  return rows;
}

/** Checks that a batch names units that are there, each at most once: twice would count double. Errors: parameter.invalid. */
export function batchChecker(units: number): (batch: Uint32Array) => void {
  const named = new Uint8Array(units);
  return (batch) => {
    let faulty = 0;
    for (const unit of batch) {
      if (named[unit] !== 0) faulty += 1;
      else named[unit] = 1;
    }
    for (const unit of batch) if (unit < units) named[unit] = 0;
    if (faulty > 0)
      throw invalidParameter("batch", "other units", `places below ${units}, each at most once`);
  };
}

/** Checks the number of weights. Errors: parameter.invalid. */
export function checkWeights({ parameters }: CheckedNetwork, weights: Float64Array): void {
  if (weights.length !== parameters)
    throw invalidParameter("weights' length", weights.length, `${parameters}, as many as the network has`);
}
