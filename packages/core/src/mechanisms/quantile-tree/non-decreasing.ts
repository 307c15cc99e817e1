/** The non-decreasing sequence nearest in least squares: neighbours that fall are pooled (Ayer et al. 1955). */
export function nonDecreasing(values: Float64Array): Float64Array {
  const [means, sizes]: [number[], number[]] = [[], []];
  for (const value of values) {
    let [mean, size] = [value, 1];
    while (means.length > 0 && means.at(-1)! > mean) {
      const [before, many] = [means.pop()!, sizes.pop()!];
      mean = (mean * size + before * many) / (size + many);
      size += many;
    }
    means.push(mean);
    sizes.push(size);
  }
  return Float64Array.from(means.flatMap((mean, i) => Array<number>(sizes[i]!).fill(mean)));
}
