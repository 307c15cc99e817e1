/** Width of the shortest interval that holds a share of the errors: no translation of a fixed interval can do better. */
export function shortest(errors: readonly number[], share: number): number {
  const sorted = [...errors].sort((a, b) => a - b);
  const held = Math.ceil(share * sorted.length);
  return sorted
    .slice(0, sorted.length - held + 1)
    .reduce((least, low, i) => Math.min(least, sorted[i + held - 1]! - low), Number.POSITIVE_INFINITY);
}
