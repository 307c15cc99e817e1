/**
 * The chance that 2n values, drawn independently from one distribution, form n pairs of equal values, given which values were
 * drawn: every way to pair them is as likely as another. There are (2n − 1)!! ways, and ∏ (2mᵥ − 1)!! of them pair equals, where
 * the value v occurs in mᵥ pairs. It holds for every distribution of noise.
 *
 * @param pairs - The value of each pair.
 * @example chanceOfPairs(["3", "4"]) // => 0.3333333333333333
 */
export function chanceOfPairs(pairs: readonly string[]): number {
  const met = new Map<string, number>();
  return pairs.reduce((chance, value, at) => {
    const before = met.get(value) ?? 0;
    met.set(value, before + 1);
    return (chance * (2 * before + 1)) / (2 * at + 1);
  }, 1);
}
