/** Two doubles with lower ≤ true value ≤ upper. */
export interface Range {
  readonly lower: number;
  readonly upper: number;
}

/**
 * Brackets the ε at which a nonincreasing δ(ε) ≥ 0 passes below δ: returns two ε, relative 2^−44 apart, with deltaAt(fails) > δ (or fails = 0) and
 * deltaAt(holds) ≤ δ. Nothing but these two values is trusted. `reach` is where the search starts; holds is +∞ where no ε up
 * to 2^1000 is enough.
 */
export function crossing(
  deltaAt: (epsilon: number) => number,
  delta: number,
  reach: number,
): { readonly fails: number; readonly holds: number } {
  const first = deltaAt(0);
  if (first <= delta) return { fails: 0, holds: 0 };
  let [fails, above] = [0, Math.log(first)];
  let [holds, at] = [Math.max(reach, 2 ** -1000), 0];
  for (; ; holds *= 2) {
    if (!(holds < 2 ** 1000)) return { fails, holds: Number.POSITIVE_INFINITY };
    at = deltaAt(holds);
    if (at <= delta) break;
    [fails, above] = [holds, Math.log(at)];
  }
  const target = Math.log(delta);
  let below = Math.log(at);
  for (let turn = 0; turn < 200 && holds - fails > 2 ** -44 * holds; turn++) {
    const width = holds - fails;
    let next = fails + width / 2;
    // Every third step halves; the others follow the chord of log δ, held off both ends.
    if (
      turn % 3 !== 2 &&
      Number.isFinite(above) &&
      Number.isFinite(below) &&
      above > below &&
      Number.isFinite(target)
    ) {
      const share = (above - target) / (above - below);
      const off = turn % 3 === 0 ? 2 ** -46 : -(2 ** -46);
      next = Math.min(
        Math.max(fails + width * share + off * holds, fails + width * 2 ** -6),
        holds - width * 2 ** -6,
      );
    } else if (fails === 0 && holds > 1e-3) {
      next = holds / 16;
    }
    if (!(next > fails && next < holds)) next = fails + width / 2;
    if (!(next > fails && next < holds)) break;
    const value = deltaAt(next);
    if (value <= delta) [holds, below] = [next, Math.log(value)];
    else [fails, above] = [next, Math.log(value)];
  }
  return { fails, holds };
}

/**
 * Both ends of the least ε with δ(ε) ≤ δ, from both ends of a nonincreasing δ(ε). `settled`: from `reach` on δ(ε) does not change any
 * more, so what is not reached there never is.
 */
export function epsilonRange(
  deltaAt: (epsilon: number) => Range,
  delta: number,
  reach: number,
  settled = false,
): Range {
  const last = settled ? deltaAt(reach) : { lower: 0, upper: 0 };
  if (last.lower > delta) return { lower: Number.POSITIVE_INFINITY, upper: Number.POSITIVE_INFINITY };
  const upper =
    last.upper > delta
      ? Number.POSITIVE_INFINITY
      : crossing((epsilon) => deltaAt(epsilon).upper, delta, reach).holds;
  if (upper === 0) return { lower: 0, upper };
  // Just below the upper end, where the lower bound on δ still exceeds δ.
  for (let gap = 2 ** -43; gap < 1e-9 && upper < Number.POSITIVE_INFINITY; gap *= 4) {
    const lower = upper * (1 - gap);
    if (deltaAt(lower).lower > delta) return { lower, upper };
  }
  const lower = crossing((epsilon) => deltaAt(epsilon).lower, delta, reach).fails;
  return { lower: Math.min(lower, upper), upper };
}
