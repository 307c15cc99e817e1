import { one, subtract, zero } from "@lethe/core/numeric";
import type { NoisePaths } from "../enumerate/enumerate-noise.ts";
import type { Enclosure } from "../verify/hockey-stick.ts";

/** The law of whether an event took place: post-processing, so what it refutes is refuted. */
export function twoOutcomes({ lo, hi }: Enclosure): NoisePaths {
  const other = { lo: subtract(one, hi), hi: subtract(one, lo) };
  return {
    masses: new Map([
      ["event", { lo, hi }],
      ["other", other],
    ]),
    residual: zero,
  };
}
