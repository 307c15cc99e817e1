/**
 * The least value found of a function of the order, over all continuous orders 1 < α ≤ 10^10. A grid in log(α − 1) guards
 * against several valleys; the best of them are refined by golden section. Whatever it returns is a value of the function: a bound
 * stays a bound, and only tightness depends on the search.
 */
export function leastOverOrders(valueAt: (order: number) => number): {
  readonly value: number;
  readonly order: number;
} {
  const known: { t: number; value: number }[] = [];
  let best = { value: Number.POSITIVE_INFINITY, order: 2 };
  const at = (t: number): number => {
    const order = 1 + Math.exp(t);
    const value = valueAt(order);
    if (value < best.value) best = { value, order };
    return Number.isNaN(value) ? Number.POSITIVE_INFINITY : value;
  };
  for (let t = -16; t <= 23.1; t += 0.5) known.push({ t, value: at(t) });
  const valleys = known.flatMap(({ t, value }, i) => {
    const [left, right] = [known[i - 1], known[i + 1]];
    const isLower = (other: typeof left): boolean => other !== undefined && other.value < value;
    const low = value < Number.POSITIVE_INFINITY && !isLower(left) && !isLower(right);
    return low ? [{ t, value }] : [];
  });
  valleys.sort((a, b) => a.value - b.value);
  for (const { t } of valleys.slice(0, 3)) golden(at, t - 0.5, t + 0.5);
  return best;
}

const section = (Math.sqrt(5) - 1) / 2;

/** Golden-section search: leaves its values with `at`. Near the least, 1e-8 in t is 1e-16 in the value. */
function golden(at: (t: number) => number, from: number, to: number): void {
  let [low, high] = [from, to];
  let inner = high - section * (high - low);
  let outer = low + section * (high - low);
  let [left, right] = [at(inner), at(outer)];
  while (high - low > 1e-7) {
    if (left <= right) {
      [high, outer, right] = [outer, inner, left];
      inner = high - section * (high - low);
      left = at(inner);
    } else {
      [low, inner, left] = [inner, outer, right];
      outer = low + section * (high - low);
      right = at(outer);
    }
  }
}
