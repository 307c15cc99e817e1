/** The largest r with r² ≤ n, for n ≥ 0. */
export function floorSqrt(n: bigint): bigint {
  if (n < 2n) return n;
  // Newton from above: decreases until it is the root.
  let root = 1n << BigInt(Math.ceil(n.toString(2).length / 2));
  for (;;) {
    const next = (root + n / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

/** The smallest r with r² ≥ n, for n ≥ 0. */
export function ceilSqrt(n: bigint): bigint {
  const root = floorSqrt(n);
  return root * root === n ? root : root + 1n;
}
