import { invalidParameter } from "@lethe/core/errors";
import { seal } from "@lethe/core/mechanisms";
import { type ClipShares, checkClip, flat, perLayer } from "../clipping/clip-scale.ts";
import type { ClippedGradients, ClippedSums } from "../clipping/clipped-gradients.ts";
import { type CheckedNetwork, readNetwork } from "./network/read-network.ts";
import { batchChecker, checkRows, checkWeights, type UnitRows } from "./rows.ts";
import type { Lane } from "./threads/lane.ts";
import { sumOverLanes } from "./threads/sum-over-lanes.ts";
import { loadUnitSums } from "./wasm/unit-sums.ts";

/** What gradients are made of. */
export interface GradientSource {
  /** A network's description: JSON, or what readNetwork gave. */
  readonly network: unknown;
  readonly rows: UnitRows;
  /** Flat unless stated; else the weights of the layers' clips, one for each layer that has parameters: see perLayer. */
  readonly layerClips?: readonly number[];
  /** Other threads, which hold the same network, rows and clips; none unless stated. */
  readonly lanes?: readonly Lane[];
}

/**
 * Opens the compiled kernels over rows that the owner holds. They sum clipped gradients of units, to the same integers on every machine, in any order
 * and with any number of lanes.
 * Errors: model.invalid for a network that is not one; parameter.invalid for arrays that do not fit it. Data raises none.
 * @example (await openGradients({ network, rows: { inputs, labels, offsets: rowUnits(2) } })).sum(weights, Uint32Array.of(0, 1), 1)
 */
export async function openGradients(source: GradientSource): Promise<ClippedGradients> {
  const { network, rows, shares } = checkSource(source);
  const own = await loadUnitSums(network, rows, shares);
  return checkedGradients(network, rows, (weights, batch, clip) =>
    sumOverLanes(own, source.lanes ?? [], weights, batch, clip),
  );
}

/** The parts of a source, checked. */
export interface CheckedSource {
  readonly network: CheckedNetwork;
  readonly rows: UnitRows;
  readonly shares: ClipShares;
}

/** Checks a source. Errors: as {@link openGradients}. */
export function checkSource({ network, rows, layerClips }: GradientSource): CheckedSource {
  const checked = readNetwork(network);
  const layers = checked.layers.filter(({ parameters }) => parameters > 0).length;
  if (layerClips !== undefined && layerClips.length !== layers)
    throw invalidParameter("layerClips", `${layerClips.length} numbers`, `one for each of ${layers} layers`);
  const shares = layerClips === undefined ? flat : perLayer(layerClips);
  return { network: checked, rows: checkRows(checked, rows), shares };
}

/** Checks what is asked of sums, and seals what is given. */
export function checkedGradients(
  network: CheckedNetwork,
  rows: UnitRows,
  sum: (weights: Float64Array, batch: Uint32Array, clip: number) => ClippedSums,
): ClippedGradients {
  const units = rows.offsets.length - 1;
  const checkBatch = batchChecker(units);
  return {
    parameters: network.parameters,
    units,
    sum(weights, batch, clip) {
      checkWeights(network, weights);
      checkBatch(batch);
      return seal(sum(weights, batch, checkClip(clip)));
    },
  };
}
