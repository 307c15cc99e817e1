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
  }
  return high;
}

/**
 * A point in [0, end] with a property that smaller points near it keep, near the greatest one below `end`; 0 where none was
 * found. Looks down from the end in growing steps: far below, bounds may be too loose to show the property.
 */
export function greatestBelow(holds: (x: number) => boolean, end: number, firstStep: number): number {
  if (!(end > 0)) return 0;
  if (holds(end)) return end;
  let high = end;
  let step = firstStep;
  let low = Math.max(0, end - step);
  while (!holds(low)) {
    if (low === 0) return 0;
    high = low;
    step *= 2;
    low = Math.max(0, end - step);
  }
  while (high - low > 1e-14 * (1 + high)) {
    const middle = (low + high) / 2;
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return low;
}
