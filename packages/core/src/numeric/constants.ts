import type { FixedInterval } from "./fixed-point.ts";
import { rescale } from "./fixed-point.ts";

/** Keeps the most precise interval computed so far; a coarser one is a rounding of it. */
function remembered(compute: (p: number) => FixedInterval): (p: number) => FixedInterval {
  let held: FixedInterval | undefined;
  let precision = 0;
  return (p) => {
    if (held === undefined || p > precision) {
      precision = p + 64;
      held = compute(precision);
    }
    return rescale(held, precision, p);
  };
}

/** ln 2 = 2·atanh(1/3) = 2·Σ (1/3)^{2i+1}/(2i+1). The tail after a term t is below t/(9−1). */
export const ln2Fixed: (p: number) => FixedInterval = remembered((p) => {
  let [lo, hi] = [0n, 0n];
  let [down, up] = [(2n << BigInt(p)) / 3n, (2n << BigInt(p)) / 3n + 1n];
  for (let i = 1n; down > 0n; i += 2n) {
    lo += down / i;
    hi += up / i + 1n;
    down /= 9n;
    up = up / 9n + 1n;
  }
  return { lo, hi: hi + up };
});

/** atan(1/q)·2^p, q ≥ 2: alternating and falling, so the first term left out bounds the tail on both sides. */
function arctanOfInverse(q: bigint, p: number): FixedInterval {
  let [lo, hi] = [0n, 0n];
  let power = (1n << BigInt(p)) / q; // ≤ the true power, by less than 2
  let positive = true;
  for (let i = 1n; power > 0n; i += 2n) {
    const [down, up] = [power / i, (power + 2n) / i + 1n];
    lo += positive ? down : -up;
    hi += positive ? up : -down;
    power /= q * q;
    positive = !positive;
  }
  return { lo: lo - 2n, hi: hi + 2n };
}

/** π = 16·atan(1/5) − 4·atan(1/239) (Machin). */
export const piFixed: (p: number) => FixedInterval = remembered((p) => {
  const [a, b] = [arctanOfInverse(5n, p), arctanOfInverse(239n, p)];
  return { lo: 16n * a.lo - 4n * b.hi, hi: 16n * a.hi - 4n * b.lo };
});
