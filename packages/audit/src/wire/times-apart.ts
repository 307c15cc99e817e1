/** Something that took so many milliseconds. */
interface Timed {
  readonly took: number;
}

/** Medians that are closer than this are not told apart on a machine that does other things too. A check that is left out is a larger factor. */
const factor = 2;

/** Whether two kinds of times do not overlap, and one median is twice the other at least. Of n and n alike, 2 pairs in C(2n, n) do not overlap by chance: 1 in 126 of five and five. */
export function areApart(one: readonly Timed[], other: readonly Timed[]): boolean {
  const isBelow = (low: readonly Timed[], high: readonly Timed[]): boolean =>
    Math.max(...low.map(({ took }) => took)) < Math.min(...high.map(({ took }) => took)) &&
    medianOf(high) > factor * medianOf(low);
  return isBelow(one, other) || isBelow(other, one);
}

/** The median of times, in milliseconds; the upper one of two. */
export function medianOf(replies: readonly Timed[]): number {
  const times = replies.map(({ took }) => took).sort((a, b) => a - b);
  return times[Math.floor(times.length / 2)] ?? 0;
}
