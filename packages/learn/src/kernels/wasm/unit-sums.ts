import { elementAt } from "@lethe/core/numeric";
import type { ClipShares } from "../../clipping/clip-scale.ts";
import type { ClippedSums } from "../../clipping/clipped-gradients.ts";
import type { UnitGradient } from "../../clipping/unit-gradient.ts";
import type { CheckedNetwork } from "../network/read-network.ts";
import type { UnitRows } from "../rows.ts";
import { Arena } from "./arena.ts";
import { BlockOfRows } from "./block-of-rows.ts";
import { ClipUnits } from "./clip-units.ts";
import type { KernelExports } from "./kernel-exports.ts";
import { type LoadedKernels, loadKernels } from "./load-kernels.ts";
import { planNetwork } from "./plan-network.ts";

/** Sums of clipped gradients by the compiled kernels, not sealed: what stands behind one thread's share of a batch. */
export interface UnitSums {
  readonly units: number;
  readonly parameters: number;
  /** As ClippedGradients.sum. The batch and the weights were checked. The sums are the kernels' own memory, and hold until the next. */
  sum(weights: Float64Array, batch: Uint32Array, clip: number): ClippedSums;
  /** Adds the sums of another share of the batch to the last ones. */
  add(share: ClippedSums): ClippedSums;
  /** One unit's gradient as it is before it is clipped: for tests. */
  gradientOf(weights: Float64Array, unit: number): UnitGradient;
  /** The last layer's vectors of inputs of any number of rows. */
  outputs(weights: Float64Array, inputs: Float32Array): Float32Array;
}

/**
 * Lays out and loads the kernels for a network. Memory: weights a few times over, and one block of at most 16 rows; neither batch nor number
 * of units counts.
 */
export async function loadUnitSums(
  network: CheckedNetwork,
  rows: UnitRows,
  shares: ClipShares,
): Promise<UnitSums> {
  return (await prepareUnitSums(network, shares))(rows);
}

/** {@link loadUnitSums} before there are rows: what it gives takes them at once, so that they may be sealed. For one set of rows. */
export async function prepareUnitSums(
  network: CheckedNetwork,
  shares: ClipShares,
): Promise<(rows: UnitRows) => UnitSums> {
  let loaded: LoadedKernels | null = null;
  const kernels = (): KernelExports => {
    if (loaded === null) throw new TypeError("the kernels are used before they are loaded");
    return loaded.functions;
  };
  const arena = new Arena();
  const plan = planNetwork(network, arena, kernels);
  const weightsAt = arena.doubles(network.parameters);
  const clipAt = ClipUnits.room(plan, network.parameters, arena);
  loaded = await loadKernels(arena.bytes);
  const { memory } = loaded;
  arena.writeTables(memory);
  const clipUnits = new ClipUnits(plan, shares, clipAt, kernels(), memory);
  const load = (weights: Float64Array): void => {
    new Float64Array(memory, weightsAt, weights.length).set(weights);
    for (const layer of plan.layers) layer.load(weightsAt + 8 * layer.offset);
  };
  return (rows) => {
    const block = new BlockOfRows(network, plan, rows, kernels(), memory);
    const rowsOf = (unit: number): readonly [number, number] => [
      elementAt(rows.offsets, unit),
      elementAt(rows.offsets, unit + 1),
    ];

    return {
      units: rows.offsets.length - 1,
      parameters: network.parameters,
      sum(weights, batch, clip) {
        load(weights);
        clipUnits.start(clip);
        const waiting: number[] = [];
        const flush = (): void => {
          block.rowsAsUnits(waiting);
          clipUnits.addRows(waiting.length);
          waiting.length = 0;
        };
        for (const unit of batch) {
          const [first, end] = rowsOf(unit);
          if (end - first === 1) waiting.push(first);
          else {
            block.rowsOfUnit(first, end);
            clipUnits.addUnit();
          }
          if (waiting.length === plan.rows) flush();
        }
        if (waiting.length > 0) flush();
        return clipUnits.sums();
      },
      add(share) {
        // The weights were packed: nobody reads them here any more.
        new Float64Array(memory, weightsAt, share.sums.length).set(share.sums);
        return clipUnits.addShare(weightsAt, share.unclipped);
      },
      gradientOf(weights, unit) {
        load(weights);
        const [first, end] = rowsOf(unit);
        if (end - first === 1) block.rowsAsUnits([first]);
        else block.rowsOfUnit(first, end);
        return clipUnits.gradient(end - first === 1);
      },
      outputs(weights, inputs) {
        load(weights);
        return block.outputs(inputs);
      },
    };
  };
}
