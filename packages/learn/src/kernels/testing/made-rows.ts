import { SeededSource } from "@lethe/core/tape";
import type { Network } from "../network/network.ts";
import { type CheckedNetwork, readNetwork } from "../network/read-network.ts";
import type { UnitRows } from "../rows.ts";

/** Reproducible numbers. */
export interface Numbers {
  /** Uniform on [0, 1). */
  uniform(): number;
  /** Of mean 0 and about variance 1. */
  spread(): number;
  /** Whole numbers from 0 to below `limit`. */
  below(limit: number): number;
}

export function numbers(seed: number): Numbers {
  const source = new SeededSource(seed);
  const uniform = (): number => source.word() / 2 ** 32;
  const spread = (): number => uniform() + uniform() + uniform() + uniform() - 2;
  return { uniform, spread: () => spread() * Math.sqrt(3), below: (limit) => Math.floor(uniform() * limit) };
}

/** A network with weights and rows that mean something. `counts` is how many rows each unit has. */
export function made(
  description: Network,
  counts: readonly number[],
  seed: number,
): { readonly network: CheckedNetwork; readonly rows: UnitRows; readonly weights: Float64Array } {
  const network = readNetwork(description);
  const of = numbers(seed);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const first = description.layers[0];
  const input = (): number => (first?.layer === "embedding" ? of.below(first.entries) : of.spread());
  const label = {
    "softmax-cross-entropy": () => of.below(network.outputs),
    "binary-logistic": () => of.below(2),
    "squared-error": () => of.spread(),
  }[description.loss];
  const offsets = [0];
  for (const count of counts) offsets.push((offsets.at(-1) ?? 0) + count);
  return {
    network,
    rows: {
      inputs: Float32Array.from({ length: total * network.inputs }, input),
      labels: Float32Array.from({ length: total * network.labels }, label),
      offsets: Uint32Array.from(offsets),
    },
    weights: Float64Array.from({ length: network.parameters }, () => Math.fround(0.4 * of.spread())),
  };
}

/** One row of them. */
export const rowOf = (
  { inputs, labels }: CheckedNetwork,
  rows: UnitRows,
  row: number,
): readonly [Float32Array, Float32Array] => [
  rows.inputs.subarray(row * inputs, (row + 1) * inputs),
  rows.labels.subarray(row * labels, (row + 1) * labels),
];
