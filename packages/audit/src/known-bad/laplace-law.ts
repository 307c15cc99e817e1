import type { Rational } from "@lethe/core";
import type { NoisePaths } from "../enumerate/enumerate-noise.ts";
import { discreteLaplaceMass, upperTail } from "../verify/masses.ts";
import { twoOutcomes } from "./two-outcomes.ts";

/** Whether value + discrete Laplace noise reaches a threshold: where a shift shows most. */
export function reachesLaw(value: bigint, scale: Rational, threshold: bigint): NoisePaths {
  const reach = 80n * (scale.num / scale.den + 1n);
  return twoOutcomes(upperTail(discreteLaplaceMass(scale), threshold - value, reach));
}
