/** A point in [0, limit] with a property that larger points keep, near the least one; +∞ where none was found. */
export function leastWhere(holds: (x: number) => boolean, start: number, limit: number): number {
  if (holds(0)) return 0;
  let high = Math.min(start, limit);
  while (!holds(high)) {
    if (high >= limit || high > 1e9)
      return limit < Number.POSITIVE_INFINITY && holds(limit) ? limit : Number.POSITIVE_INFINITY;
    high = Math.min(limit, 2 * high);
  }
  let low = 0;
  while (high - low > 1e-14 * (1 + high)) {
    const middle = (low + high) / 2;
    if (holds(middle)) high = middle;
    else low = middle;
    if (middle === low && middle === high) break;
  }
  return high;
}

/** A point in [0, limit] with a property that smaller points keep, near the greatest one; 0 where not even 0 has it. */
export function greatestWhere(holds: (x: number) => boolean, start: number, limit: number): number {
  if (!holds(0)) return 0;
  let high = Math.min(start, limit);
  let low = 0;
  while (holds(high)) {
    low = high;
    if (high >= limit) return high;
    if (high > 1e9) return Number.POSITIVE_INFINITY;
    high = Math.min(limit, 2 * high);
  }
  while (high - low > 1e-14 * (1 + high)) {
    const middle = (low + high) / 2;
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return low;
}
