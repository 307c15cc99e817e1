import type { BitSource } from "../entropy/bit-source.ts";
import { invalidParameter } from "../errors/lethe-error.ts";
import { bitLength } from "../numeric/fixed-point.ts";

/**
 * A uniform integer in [0, n): as many fair bits as n − 1 has, drawn again until they are below n. Takes
 * ⌈bits/32⌉ words a try (the first word gives the top bits, from its low end) and fewer than two tries on average.
 * Errors: parameter.invalid unless n ≥ 1.
 */
export function uniformBelow(n: bigint, bits: BitSource): bigint {
  if (!(n >= 1n)) throw invalidParameter("n", n, "≥ 1");
  const length = bitLength(n - 1n);
  if (length <= 32) {
    const [limit, unused] = [Number(n), 32 - length];
    if (length === 0) return 0n;
    for (;;) {
      const value = (bits.word() << unused) >>> unused;
      if (value < limit) return BigInt(value);
    }
  }
  const words = Math.ceil(length / 32);
  const topMask = 2 ** (length - 32 * (words - 1)) - 1;
  for (;;) {
    let value = BigInt((bits.word() & topMask) >>> 0);
    for (let i = 1; i < words; i++) value = (value << 32n) | BigInt(bits.word());
    if (value < n) return value;
  }
}
