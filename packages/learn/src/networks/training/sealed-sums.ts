import { computeSealed, type Exact, type TrainingDraws, type UnitRows } from "@lethe/core/mechanisms";
import { flat, perLayer } from "../../clipping/clip-scale.ts";
import { designRows } from "../../design/design-rows.ts";
import { openBatches } from "../../gradients/sampling/batches.ts";
import type { OpenBatchSums } from "../../gradients/training/batch-sums.ts";
import { readNetwork } from "../../kernels/network/read-network.ts";
import { prepareUnitSums } from "../../kernels/wasm/unit-sums.ts";
import type { NetworkPlan } from "../plan/network-plan.ts";

/**
 * The sums of a plan's steps over rows that stay sealed, and with them how many units there are and which of them a step sees. Columns are the plan's
 * features in its order, and then the target. No value of a row makes it fail. Bins are never told, so a training that needs those of steps before starts
 * anew.
 */
export async function sealedSums(
  plan: NetworkPlan,
  rows: Exact<UnitRows>,
  draws: TrainingDraws,
): Promise<OpenBatchSums> {
  const { network, training, layerNorms, features, target } = plan;
  const shares = layerNorms === null ? flat : perLayer(layerNorms);
  const unitSums = await prepareUnitSums(readNetwork(network), shares);
  return (held) => {
    const state = computeSealed(rows, (open) => {
      const { inputs, targets, offsets } = designRows({ columns: features, intercept: false }, target, open);
      return {
        sums: unitSums({ inputs, labels: targets, offsets }),
        batches: openBatches(training.sampler, offsets.length - 1, draws, held),
      };
    });
    return {
      sum: (step, weights, clip) =>
        computeSealed(state, ({ sums, batches }) => sums.sum(weights, batches.next(step), clip)),
      bins: () => null,
    };
  };
}
