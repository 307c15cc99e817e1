import type { BitSource } from "../../entropy/bit-source.ts";
import { type Exact, unseal } from "../../exact/exact.ts";
import { doubleAt } from "../../numeric/elements/element-at.ts";
import type { Noise } from "../noise.ts";
import { noiseSampler } from "../registry.ts";

/**
 * Prepares the release of many sealed integer vectors with the same noise, drawn afresh for every coordinate of each. The integers are doubles: a
 * sum of two is the double next to the true sum, which is post-processing of it. What a release costs is `noiseEvent` at the vectors' sensitivity.
 * Source: A Thm 2.7, C Prop 2; proof: ./vector-noise.proof.md.
 * Direction: exact.
 * Errors: parameter.invalid, when it is prepared, for a broken noise; at the first draw for one whose draws could pass 2^53.
 * @example sealedVectorRelease({ mechanism: "rounded-gaussian@1", sigma: "100" }, bits)(seal(Float64Array.of(5, -7)))
 * // => Float64Array [-93, 41], say
 */
export function sealedVectorRelease(
  noise: Noise,
  bits: BitSource,
): (total: Exact<Float64Array>) => Float64Array {
  const sampler = noiseSampler(noise);
  return (total) => {
    const exact = unseal(total);
    const noisy = new Float64Array(exact.length);
    sampler.fill(noisy, bits);
    for (let i = 0; i < noisy.length; i += 1) noisy[i] = doubleAt(noisy, i) + doubleAt(exact, i);
    return noisy;
  };
}
