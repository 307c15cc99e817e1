import type { Noise } from "@lethe/core/mechanisms";
import { parseRational, toDouble } from "@lethe/core/numeric";

/** Whether two numbers are the same but for the rounding of doubles. */
export function near(stated: number, derived: number): boolean {
  return Math.abs(stated - derived) <= 1e-9 * Math.abs(derived);
}

/** Whether a number is at least what is derived, but for the rounding of doubles. */
export function covers(stated: number, derived: number): boolean {
  return stated >= derived * (1 - 1e-9);
}

/** A unit's gradient is a vector of integers of norm at most 2²⁰. */
export const unitNorm: number = 2 ** 20;

/** How far a computed step may lie from that in real numbers: d coordinates, weights within r, a gradient of norm L, a mean over so many units of 2¹⁰ rows at most. */
export function stepError(step: {
  readonly dimension: number;
  readonly radius: number;
  readonly lipschitz: number;
  readonly stepSize: number;
  readonly batch: number;
}): number {
  const { dimension, radius, lipschitz, stepSize, batch } = step;
  const whole = (dimension + 64) / 2 ** 49;
  const means = 1 / 2 ** 42 + batch / 2 ** 52;
  return whole * radius + (whole + means) * stepSize * lipschitz;
}

/** Squared: vectors that move by so many grid steps, before each of d coordinates is rounded to the grid, with a quarter of a step for quotients. */
export function roundedSquare(moved: number, dimension: number): bigint {
  return BigInt(moved + Math.ceil(1.25 * Math.sqrt(dimension))) ** 2n;
}

/** σ on the grid; NaN for other noise than rounded Gaussian. */
export function sigmaOf(noise: Noise): number {
  return noise.mechanism === "rounded-gaussian@1" ? toDouble(parseRational(noise.sigma), "up") : Number.NaN;
}
