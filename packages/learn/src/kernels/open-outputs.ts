import { invalidParameter } from "@lethe/core/errors";
import { flat } from "../clipping/clip-scale.ts";
import { readNetwork } from "./network/read-network.ts";
import { checkWeights } from "./rows.ts";
import { loadUnitSums } from "./wasm/unit-sums.ts";

/** What a network gives for inputs. */
export interface NetworkOutputs {
  /**
   * The last layer's vectors, row after row: logits for the two losses of classes. An input that is not finite, or no index, is read as zeros.
   * Of private rows they are exact: only inputs that are public, or outputs that are released by a mechanism, may leave.
   * Errors: parameter.invalid for another number of weights, or inputs that are no whole rows.
   */
  outputs(weights: Float64Array, inputs: Float32Array): Float32Array;
}

/**
 * Opens a network for prediction.
 * Errors: model.invalid for a network that is not one.
 * @example (await openOutputs(network)).outputs(weights, inputs) // rows × outputs
 */
export async function openOutputs(network: unknown): Promise<NetworkOutputs> {
  const checked = readNetwork(network);
  const nothing = {
    inputs: new Float32Array(0),
    labels: new Float32Array(0),
    offsets: new Uint32Array(1),
  };
  const kernels = await loadUnitSums(checked, nothing, flat);
  return {
    outputs(weights, inputs) {
      checkWeights(checked, weights);
      if (inputs.length % checked.inputs !== 0)
        throw invalidParameter("inputs' length", inputs.length, `a multiple of ${checked.inputs}`);
      return kernels.outputs(weights, inputs);
    },
  };
}
