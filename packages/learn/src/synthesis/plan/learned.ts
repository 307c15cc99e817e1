import type { MergedValues } from "../domain/index.ts";
import type { GraphicalModel, Measurement } from "../inference/index.ts";

/** What a synthesis learned, all of it from noisy answers: it may leave. */
export interface Learned {
  /** Over merged values. */
  readonly model: GraphicalModel;
  /** The values that each attribute counts as one. */
  readonly merged: readonly MergedValues[];
  /** Over merged values, single attributes first. */
  readonly measurements: readonly Measurement[];
}
