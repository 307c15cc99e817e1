/** No answer is refined more often. */
export const mostAttempts = 12;

/** Small sums may be refined often, large ones hardly. */
export function attemptsFor(size: number): number {
  return size <= 1 << 15 ? mostAttempts : size <= 1 << 18 ? 3 : size <= 1 << 19 ? 2 : size <= 1 << 20 ? 1 : 0;
}
