import { parseRational, toDouble } from "@lethe/core/numeric";
import { sizeOf } from "../../kernels/network/layer-shape.ts";
import { type PlacedLayer, readNetwork } from "../../kernels/network/read-network.ts";
import type { NetworkPlan } from "./network-plan.ts";

/** What a common processor does in a second on one thread: products of a layer, weights clipped and added for one unit, draws of noise. */
const inASecond = { products: 5e9, weights: 1e9, draws: 4e7 } as const;

/**
 * About how many seconds a training takes on a common processor: a function of the plan alone, for batches of the public expected size. What a step really
 * takes shows its batch.
 */
export function expectedSeconds({ network, training }: NetworkPlan): number {
  const { layers, parameters } = readNetwork(network);
  const products = layers.reduce((sum, placed) => sum + productsOf(placed), 0);
  const batch = toDouble(parseRational(training.divisor), "up");
  // Forward once, and back through inputs and weights.
  const unit = (3 * products) / inASecond.products + parameters / inASecond.weights;
  return training.steps * (batch * unit + parameters / inASecond.draws);
}

/** Products that one example takes forward: each weight of a kernel is used at every place of its output. */
function productsOf({ layer, output, parameters }: PlacedLayer): number {
  if (layer.layer !== "conv2d") return parameters;
  return parameters * (sizeOf(output) / layer.channels);
}
