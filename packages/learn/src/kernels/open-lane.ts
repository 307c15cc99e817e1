import { checkSource, type GradientSource } from "./open-gradients.ts";
import { type LaneMemory, serveLane } from "./threads/shared-lane.ts";
import { loadUnitSums } from "./wasm/unit-sums.ts";

/**
 * Runs a lane in the thread that calls it, until the lane is closed: what a worker does. Its source is that of the gradients it helps, with the rows in
 * shared memory.
 * @example await runLane(workerData.memory, workerData.source) // in a worker; `sharedLane(memory)` goes into the lanes of openGradients
 */
export async function runLane(memory: LaneMemory, source: GradientSource): Promise<void> {
  const { network, rows, shares } = checkSource(source);
  serveLane(memory, await loadUnitSums(network, rows, shares));
}
