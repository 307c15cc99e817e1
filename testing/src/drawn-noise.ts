import { parseRational } from "@lethe/core";
import type { Noise } from "@lethe/core/mechanisms";

/** Numbers between 0 and 1 that look drawn (xorshift), the same for a seed. */
export function uniforms(seed: bigint): () => number {
  let state = seed;
  return () => {
    state ^= (state << 13n) & (2n ** 64n - 1n);
    state ^= state >> 7n;
    state ^= (state << 17n) & (2n ** 64n - 1n);
    return (Number(state >> 11n) + 0.5) / 2 ** 53;
  };
}

/** A draw of a noise, `inflate` times as large as it says. Errors: an Error for another than Laplace noise. */
export function drawnNoise(noise: Noise, uniform: () => number, inflate: number): bigint {
  if (noise.mechanism !== "discrete-laplace@1") throw new Error("these plans draw Laplace noise");
  const { num, den } = parseRational(noise.scale);
  const scale = (inflate * Number(num)) / Number(den);
  return BigInt(Math.floor(-scale * Math.log(uniform())) - Math.floor(-scale * Math.log(uniform())));
}
