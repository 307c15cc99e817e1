import type { Correlation } from "@lethe/core/mechanisms";
import type { Optimizer } from "../../gradients/training/optimizer.ts";
import type { Network } from "../../kernels/network/network.ts";
import type { RowTask } from "../../model/row-task.ts";

/** A training of a network as a file describes it, its columns resolved by a policy: all but its price and its adjacency. */
export interface NetworkTask extends RowTask {
  readonly kind: "network";
  readonly version: 1;
  /** From the vector of the features to one output for each class, or for two classes and for a number to one. */
  readonly network: Network;
  /** The public number of units, by which the share of a batch is scaled: declared, never counted. */
  readonly units: number;
  readonly sampler: NetworkSampler;
  /** The share of the units that a step sees: exact, as "1/10". */
  readonly rate: string;
  readonly steps: number;
  readonly clip: NetworkClip;
  /** Noise that hangs on the steps before; null for none. */
  readonly correlation: Correlation | null;
  readonly optimizer: Optimizer;
  /** Of the weights to begin with: public. */
  readonly seed: number;
}

/** Which units a step sees. Batches that are cut need no place here: what a step takes of memory does not hang on its batch. */
export type NetworkSampler = "poisson" | "balls-in-bins" | "cyclic" | "full";

/** How a unit's gradient is clipped: to one norm, to one for each layer that has weights, or to one that follows a quantile, which is paid for. */
export type NetworkClip =
  | number
  | { readonly perLayer: readonly number[] }
  | {
      readonly adaptive: {
        readonly start: number;
        readonly quantile?: number;
        readonly pace?: number;
        readonly countNoise?: number;
      };
    };
