/** The non-decreasing sequence nearest in least squares: neighbours that fall are pooled (Ayer et al. 1955). */
export function nonDecreasing(values: Float64Array): Float64Array {
  const pools: { readonly mean: number; readonly size: number }[] = [];
  for (const value of values) {
    let [mean, size] = [value, 1];
    for (let before = pools.at(-1); before !== undefined && before.mean > mean; before = pools.at(-1)) {
      mean = (mean * size + before.mean * before.size) / (size + before.size);
      size += before.size;
      pools.pop();
    }
    pools.push({ mean, size });
  }
  return Float64Array.from(pools.flatMap(({ mean, size }) => Array<number>(size).fill(mean)));
}
