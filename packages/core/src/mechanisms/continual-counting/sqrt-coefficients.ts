/** Bits carried below the last one that is kept. */
const guardBits = 64n;

/**
 * The first `count` coefficients cᵢ = C(2i, i)/4ⁱ of (1 − z)^(−1/2), the square root of the running sum as a Toeplitz matrix,
 * as integers ⌊2^bits·cᵢ⌋ (off by at most one below the last place). They never increase, and the first is 2^bits.
 * Source: Fichtenberger, Henzinger & Upadhyay 2023 (arXiv 2202.11205), Eq. 1; Henzinger, Upadhyay & Upadhyay 2023.
 * Direction: lower. What is run is the matrix of these integers, and its price is computed from them.
 * @example sqrtCoefficients(4, 4) // 16, 8, 6, 5
 */
export function sqrtCoefficients(count: number, bits: number): readonly bigint[] {
  const kept: bigint[] = [];
  let fine = 1n << (BigInt(bits) + guardBits);
  for (let i = 0; i < count; i++) {
    if (i > 0) fine = (fine * BigInt(2 * i - 1)) / BigInt(2 * i);
    kept.push(fine >> guardBits);
  }
  return kept;
}
