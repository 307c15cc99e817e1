import type { BitSource } from "../../entropy/bit-source.ts";
import { expBracket } from "../../numeric/bracket.ts";
import { bitLength, quotientDown, quotientUp } from "../../numeric/fixed-point.ts";
import { divide, negate, one, type Rational } from "../../numeric/rational.ts";

/** A tail T_m = P[Z ≤ −m], inside [lo, hi]·2^−bits. */
interface Tail {
  readonly lo: bigint;
  readonly hi: bigint;
}

/** T_m for m = 1 … n: a^m/(1 + a), a = e^(−1/scale), by repeated multiplication with outward rounding. */
function tails(scale: Rational, n: number, bits: number): readonly Tail[] {
  const guard = bitLength(BigInt(n)) + 8;
  const p = BigInt(bits + guard);
  const unit = 1n << p;
  const base = expBracket(negate(divide(one, scale)), bits + guard);
  const aLo = (base.lo.num << p) / base.lo.den;
  const aHi = quotientUp(base.hi.num << p, base.hi.den);
  // a/(1 + a) grows with a.
  let low = quotientDown(aLo << p, unit + aLo);
  let high = quotientUp(aHi << p, unit + aHi);
  const all: Tail[] = [];
  const drop = BigInt(guard);
  for (let m = 1; m <= n; m += 1) {
    all.push({ lo: low >> drop, hi: -(-high >> drop) });
    low = (low * aLo) >> p;
    high = -((-high * aHi) >> p);
  }
  return all;
}

/**
 * Z of the discrete Laplace law, clamped to [−n, n]: by inversion against all 2n thresholds of its distribution function,
 * with no early end. A uniform number is read to a first length that leaves some threshold undecided with a chance below
 * 2^−60, then longer while any is. So neither the coins read nor the number of comparisons depends on the outcome (but
 * for that chance): linear time in the public n. Balcer & Vadhan 2018, Sec. 4. Proof: ./geometric.proof.md
 */
export function truncatedLaplace(scale: Rational, n: number): (bits: BitSource) => bigint {
  const firstWords = Math.ceil((bitLength(BigInt(2 * n)) + 62) / 32);
  const tables = new Map<number, readonly Tail[]>();
  const tableAt = (words: number): readonly Tail[] => {
    const known = tables.get(words);
    if (known) return known;
    const table = tails(scale, n, 32 * words);
    tables.set(words, table);
    return table;
  };
  if (n > 0) tableAt(firstWords);
  return (source) => {
    if (n === 0) return 0n;
    let uniform = 0n;
    let read = 0;
    for (let words = firstWords; ; words *= 2) {
      for (; read < words; read += 1) uniform = (uniform << 32n) | BigInt(source.word());
      const mirrored = (1n << BigInt(32 * words)) - uniform; // the uniform lies in (mirrored − 1, mirrored] below 1
      let passed = 0;
      let undecided = 0;
      for (const { lo, hi } of tableAt(words)) {
        // T ≤ U; and 1 − T ≤ U, which is 1 − U ≤ T.
        const below = hi <= uniform;
        const above = lo > uniform;
        const upper = lo >= mirrored;
        const lower = hi < mirrored;
        passed += Number(below) + Number(upper);
        undecided += Number(!below && !above) + Number(!upper && !lower);
      }
      if (undecided === 0) return BigInt(passed - n);
    }
  };
}
