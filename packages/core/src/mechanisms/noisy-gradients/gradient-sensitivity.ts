import { invalidParameter } from "../../errors/lethe-error.ts";
import { ceil, multiply, type Rational, ratio, toText } from "../../numeric/rational.ts";
import type { Sensitivity } from "../mechanism.ts";
import type { Noise } from "../noise.ts";
import { rootUp } from "../root.ts";

/** A unit's clipped vector, or each layer of it, is integers on a grid of clip · 2^-20, of norm at most 2^20. */
export const gradientGridBits = 20;
const radius = 1n << BigInt(gradientGridBits);

/** What a step measures of each unit: public, and the same in all steps. */
export interface GradientShape {
  /** The length of a unit's vector. */
  readonly parameters: number;
  /** How many parts of the vector are clipped each to a norm of its own, and each stands on a grid of its own; 1 is a flat clip. */
  readonly layers: number;
  /**
   * The integer that a unit whose vector needed no clipping adds to one more coordinate, the count of adaptive clipping; 0 leaves that coordinate out.
   */
  readonly countWeight: number;
}

/** Whether neighbours differ by a unit that came or went, or by one that took another's place. */
export type UnitMove = "came-or-went" | "replaced";

/**
 * The joint sensitivity of a step's sums and its count: L·2⁴⁰ + w² squared where a unit came or went, 4·L·2⁴⁰ + w² where it was replaced, as
 * each of L layers moves by at most its radius or twice that, and the count by one either way.
 * Source: Andrew, Thakkar, McMahan & Ramaswamy 2021 (arXiv 1905.03871) for the count; proof: ./noisy-gradients.proof.md.
 * Direction: exact. Errors: parameter.invalid for counts that are none.
 * @example gradientSensitivity({ parameters: 10, layers: 1, countWeight: 0 }, "came-or-went").l2Squared // => 1n << 40n
 */
export function gradientSensitivity(shape: GradientShape, move: UnitMove): Sensitivity {
  const { parameters, layers, countWeight } = shape;
  checkInteger("parameters", parameters, 1, 2 ** 23);
  checkInteger("layers", layers, 1, parameters);
  checkInteger("countWeight", countWeight, 0, 2 ** 40);
  const step = { "came-or-went": radius, replaced: 2n * radius }[move];
  if (step === undefined) throw invalidParameter("move", move, "came-or-went or replaced");
  const [count, each] = [BigInt(countWeight), BigInt(layers) * step * step];
  // ‖v‖₁ ≤ √d·‖v‖₂, here over all layers at once.
  const l1 = ceil(rootUp(ratio(BigInt(parameters) * each))) + count;
  return { l1, l2Squared: each + count * count };
}

/**
 * The rounded Gaussian whose σ is `multiplier` times the root of the sensitivity, rounded up: a μ of at most 1/multiplier.
 * Errors: parameter.invalid unless multiplier > 0 and σ ≤ 2^46.
 * @example gaussianOf(ratio(11n, 10n), 1n << 40n) // => { mechanism: "rounded-gaussian@1", sigma: "5767168/5" }
 */
export function gaussianOf(multiplier: Rational, l2Squared: bigint): Noise {
  if (!(multiplier.num > 0n)) throw invalidParameter("noise", toText(multiplier), "> 0");
  const sigma = multiply(multiplier, rootUp(ratio(l2Squared)));
  // Sums of at most 2^52 and their noise are then exact in doubles: P[|Z| ≥ 2^52] < e^-2000.
  if (sigma.num > sigma.den << 46n)
    throw invalidParameter("noise", toText(multiplier), "such that its σ on the grid is at most 2^46");
  return { mechanism: "rounded-gaussian@1", sigma: toText(sigma) };
}

export function checkInteger(name: string, value: number, least: number, most: number): void {
  if (!(Number.isSafeInteger(value) && value >= least && value <= most)) {
    throw invalidParameter(name, value, `an integer from ${least} to ${most}`);
  }
}
