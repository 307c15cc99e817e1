/** The window in which a sum of tilted losses is kept, as distances from its mean. */
export interface Window {
  readonly above: number;
  readonly below: number;
  /** The distance at which two losses are folded onto each other. */
  readonly period: number;
}

/** The numbers that a window is chosen by. */
export interface WindowNeeds {
  readonly tilt: number;
  readonly mean: number;
  readonly deviation: number;
  /** ln E[e^{λS}], whatever the mass of the law. */
  readonly log: number;
  /** The part of e^{λε − log}·δ(ε) that may be lost or folded in. */
  readonly leakage: number;
  /** The number of deviations from the mean within which an ε is served that well. */
  readonly margin: number;
  /** The function TailBound.reach above the mean, and `reachBelow` the same below it. */
  readonly reachAbove: (logTail: number, rate: number) => number;
  readonly reachBelow: (logTail: number, rate: number) => number;
}

/**
 * The least window (pld.proof.md, "The window"). Mass above it weighs e^{−λ(top − ε)}, so the top may be near; what is folded from
 * above comes from beyond ε + period; what is folded from below weighs e^{−λ·period} without its tilt. Nothing is claimed from it.
 */
export function windowFor(needs: WindowNeeds): Window {
  const { tilt, mean, deviation, log, leakage, margin, reachAbove, reachBelow } = needs;
  const logTail = -Math.log(leakage);
  const served = margin * deviation;
  const above = Math.max(served, reachAbove(logTail + tilt * served, tilt));
  const farAbove = reachAbove(logTail, 0);
  const farBelow = Math.max(served, reachBelow(logTail, 0));
  const unfolded = above + farBelow;
  const untilted = tilt > 0 ? (logTail + tilt * (mean + served) - log) / tilt : Number.POSITIVE_INFINITY;
  const period = Math.max(
    above + served,
    // Without a tilt an ε may lie anywhere below.
    farAbove + (tilt > 0 ? Math.min(served, farBelow) : farBelow),
    Math.min(unfolded, untilted),
  );
  return { above, below: Math.min(farBelow, period - above), period };
}
