/**
 * The smallest integer q ≥ 0 for which `holds` (false up to some point, true from there on), searched outward from a guess:
 * two calls when the guess is right.
 */
export function smallestCertified(guess: number, holds: (q: bigint) => boolean): bigint {
  const start = BigInt(Math.max(0, Math.ceil(guess)));
  let fails = -1n;
  let works = start;
  if (holds(start)) {
    for (let step = 1n; works > 0n; step *= 2n) {
      const lower = works > step ? works - step : 0n;
      if (!holds(lower)) {
        fails = lower;
        break;
      }
      works = lower;
    }
  } else {
    fails = start;
    for (let step = 1n; ; step *= 2n) {
      works = fails + step;
      if (holds(works)) break;
      fails = works;
    }
  }
  while (works - fails > 1n) {
    const middle = (works + fails) / 2n;
    if (holds(middle)) works = middle;
    else fails = middle;
  }
  return works;
}
