import type { MergedValues } from "../domain/index.ts";
import type { Measurement, NoisyResidual } from "../inference/index.ts";
import type { RowLaw } from "./row-law.ts";

/** What a synthesis measured: noisy answers, and nothing else, so that it may leave. */
export interface Measured {
  /** The values that each attribute counts as one. */
  readonly merged: readonly MergedValues[];
  /** Over merged values, single attributes first. */
  readonly measurements: readonly Measurement[];
  /** Residuals that were measured by themselves, over merged values; none by most methods. */
  readonly residuals: readonly NoisyResidual[];
}

/** The same with the law that was fitted to it. */
export interface Learned extends Measured {
  /** Over merged values. */
  readonly law: RowLaw;
}
