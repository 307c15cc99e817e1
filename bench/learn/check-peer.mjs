import { roundedStart } from "./our-side.mjs";

/** What 32-bit arithmetic in another order may move, over the largest sum. */
const floating = 4e-6;

/**
 * Tells how sums of clipped gradients differ, entry by entry, or null where they are the same. Ours are cut to a grid of clip · 2^-20 toward zero, unit by
 * unit, after a scale that is kept 2^-21 below the exact one; theirs are floating.
 */
export function differenceOfSums({ ours, theirs, clip, size }) {
  if (ours.length !== theirs.length) return `${theirs.length} sums, ours are ${ours.length}`;
  const largest = ours.reduce((most, each) => Math.max(most, Math.abs(each)), 0);
  const slack = (size * clip) / 2 ** 20 + floating * largest;
  const worst = ours.reduce((most, each, i) => Math.max(most, Math.abs(each - theirs[i])), 0);
  return worst <= slack ? null : `sums are up to ${worst} apart, of which ${slack} may be`;
}

/** Tells how weights differ after the same steps, or null: to a hundredth of their way, so that another rate, divisor or batch shows. */
export function differenceOfWeights(source, ours, theirs) {
  const start = roundedStart(source);
  const moved = length(ours.map((each, i) => each - start[i]));
  const apart = length(ours.map((each, i) => each - theirs[i]));
  return apart <= 0.01 * moved ? null : `weights are ${apart} apart after moving by ${moved}`;
}

const length = (vector) => Math.sqrt(vector.reduce((sum, each) => sum + each * each, 0));
