/** Returns the largest of some integers, in absolute value. */
export function largestOf(...texts: readonly string[]): bigint {
  return texts.map((text) => BigInt(text)).reduce((most, x) => (x > most ? x : -x > most ? -x : most), 0n);
}
