import { checkSource, type GradientSource } from "./open-gradients.ts";
import { type LaneMemory, serveLane } from "./threads/shared-lane.ts";
import { loadUnitSums } from "./wasm/unit-sums.ts";

/**
 * Runs a lane in the thread that calls it, until the lane is closed: what a worker does. Its source is that of the gradients it helps, with the rows in
 * shared memory. The thread is blocked from then on, so `opened` is called before: whoever uses the lane waits for that word, for a lane that
 * never opened would never answer.
 * Errors: as openGradients, before `opened`; later those of the kernels, which the near end learns of as a failed lane.
 * @example await runLane(workerData.memory, workerData.source, () => parentPort.postMessage("open")) // in a worker
 */
export async function runLane(memory: LaneMemory, source: GradientSource, opened: () => void): Promise<void> {
  const { network, rows, shares } = checkSource(source);
  const kernels = await loadUnitSums(network, rows, shares);
  opened();
  serveLane(memory, kernels);
}
