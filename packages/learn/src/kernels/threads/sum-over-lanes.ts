import type { ClippedSums } from "../../clipping/clipped-gradients.ts";
import type { UnitSums } from "../wasm/unit-sums.ts";
import type { Lane } from "./lane.ts";

/** The sums of a batch that is cut into as many runs as there are threads: integers, so that the cut leaves no trace in them. */
export function sumOverLanes(
  own: Pick<UnitSums, "sum" | "add">,
  lanes: readonly Lane[],
  weights: Float64Array,
  batch: Uint32Array,
  clip: number,
): ClippedSums {
  const cut = (thread: number): number => Math.round((batch.length * thread) / (lanes.length + 1));
  for (const [at, lane] of lanes.entries())
    lane.start(weights, batch.subarray(cut(at + 1), cut(at + 2)), clip);
  let total = own.sum(weights, batch.subarray(0, cut(1)), clip);
  for (const lane of lanes) total = own.add(lane.finish());
  return { ...total, sums: total.sums.slice() };
}
