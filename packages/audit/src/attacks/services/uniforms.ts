import { SeededSource } from "@lethe/core/tape";

/** An attacker's own coins: multiples of 2⁻⁵³ in (0, 1), the same in every run. */
export function uniforms(seed: number): () => number {
  const bits = new SeededSource(seed);
  return () => Math.max(1, (bits.word() >>> 5) * 0x4000000 + (bits.word() >>> 6)) * 2 ** -53;
}
