import { invalidParameter } from "../errors/lethe-error.ts";

/** One of several losses and how often the public coins choose it. */
export interface WeightedLoss<L> {
  readonly weight: number;
  readonly loss: L;
}

/** The parts that are ever drawn: at least one. Errors: parameter.invalid unless weights are ≥ 0 and sum to 1 (within 1e-9). */
export function drawnParts<L>(
  parts: readonly WeightedLoss<L>[],
): readonly [WeightedLoss<L>, ...WeightedLoss<L>[]] {
  let sum = 0;
  for (const { weight } of parts) sum += weight >= 0 ? weight : Number.NaN;
  const [first, ...others] = parts.filter(({ weight }) => weight > 0);
  if (first === undefined || !(Math.abs(sum - 1) <= 1e-9)) {
    throw invalidParameter("weights", sum, "≥ 0 with sum 1");
  }
  return [first, ...others];
}

const mostRuns = 1n << 1000n;

/** A number of runs as a double, never too small. Errors: parameter.invalid unless 0 ≤ n ≤ 2^1000. */
export function checkedCount(n: bigint): number {
  if (!(n >= 0n && n <= mostRuns)) throw invalidParameter("count", n, "at least 0 and at most 2^1000");
  const near = Number(n);
  return BigInt(near) >= n ? near : near * (1 + 2 ** -52);
}

/** Errors: parameter.invalid unless k ≥ 1. */
export function checkGroup(k: bigint): bigint {
  if (!(k >= 1n)) throw invalidParameter("size", k, "≥ 1");
  return k;
}
