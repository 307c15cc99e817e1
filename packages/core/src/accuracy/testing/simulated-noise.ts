import type { Noise } from "../../mechanisms/noise.ts";
import { noiseLaw } from "../laws/noise-laws.ts";

export const laplace = (scale: number): Noise => ({
  mechanism: "discrete-laplace@1",
  scale: String(scale),
});

export const rounded = (sigma: number): Noise => ({
  mechanism: "rounded-gaussian@1",
  sigma: String(sigma),
});

/** A seeded source of uniforms in (0, 1): xorshift32. */
export function uniforms(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return ((state >>> 0) + 0.5) / 2 ** 32;
  };
}

/** A whole number that is distributed as the noise is: for simulations, not for releases. */
export function draw(noise: Noise, uniform: () => number): number {
  const { family, scale } = noiseLaw(noise);
  if (family === "laplace")
    return Math.floor(-scale * Math.log(uniform())) - Math.floor(-scale * Math.log(uniform()));
  return Math.round(scale * Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform()));
}
