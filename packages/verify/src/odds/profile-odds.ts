import { exceededWith } from "./normal.ts";

/** What a test of one unit's presence may gain at most. */
export interface DerivedOdds {
  /** True less false alarms. */
  readonly advantage: number;
  /** No test beats that of N(μ, 1) against N(0, 1). Null where no finite μ follows. */
  readonly mu: number | null;
  /** True alarms of a test with a share {@link falseAlarms} of false ones. */
  readonly truePositives: number;
}

export const falseAlarms = 0.01;

/** δ(0), δ(pitch), … of each direction, or of the one that stands for both; and a loss beyond which there is none. */
export interface Profile {
  readonly pitch: number;
  readonly directions: readonly Float64Array[];
  readonly pure: number | null;
}

export function oddsOfProfile(profile: Profile): DerivedOdds {
  const { directions } = profile;
  return {
    advantage: Math.max(...directions.map((delta) => at(delta, 0))),
    mu: muOf(profile),
    truePositives: Math.max(
      ...directions.map((delta, place) => hitsOf(profile, delta, directions.at(-1 - place) ?? delta)),
    ),
  };
}

/** Beyond the last of a list, δ is no larger than there. */
function at(delta: Float64Array, place: number): number {
  return delta[Math.min(place, delta.length - 1)] ?? 1;
}

/** A test that is right with chance t and wrong with chance w has t ≤ δ + e^ε·w, and in its silence 1 − w ≤ δ′ + e^ε·(1 − t), δ′ that of the other direction. */
export function mostHits(odds: number, delta: number, back: number): number {
  return Math.min(1, delta + odds * falseAlarms, 1 - (1 - falseAlarms - back) / odds);
}

function hitsOf({ pitch, pure }: Profile, delta: Float64Array, back: Float64Array): number {
  let least = pure === null ? 1 : mostHits(Math.exp(pure), 0, 0);
  for (let place = 0; place < Math.max(delta.length, back.length); place += 1)
    least = Math.min(least, mostHits(Math.exp(place * pitch), at(delta, place), at(back, place)));
  return least;
}

/** The tests t ≤ delta + odds·w. */
interface Line {
  readonly odds: number;
  readonly delta: number;
}

/**
 * The least μ at which no test beats Gaussian noise. For the Gaussian t is concave in w, so it is above the lines where it is above their corners; half the w suffice, since the
 * lines are those of both directions. Null where t is above 0 at w = 0, which no Gaussian's is.
 */
function muOf({ pitch, directions, pure }: Profile): number | null {
  if (pure === null) return null;
  const lines: Line[] = [];
  for (let place = 0; place * pitch < pure; place += 1) {
    const worse = Math.max(...directions.map((delta) => at(delta, place)));
    lines.push({ odds: Math.exp(place * pitch), delta: worse });
  }
  const corners = lowest([...lines, { odds: Math.exp(pure), delta: 0 }]);
  let mu = 0;
  for (const [at, right] of corners.entries()) {
    const left = corners[at - 1];
    if (left === undefined) continue;
    const wrong = Math.min(0.5, (left.delta - right.delta) / (right.odds - left.odds));
    const hit = Math.min(left.delta + left.odds * wrong, right.delta + right.odds * wrong);
    if (hit > wrong) mu = Math.max(mu, exceededWith(wrong) - exceededWith(hit));
  }
  return mu;
}

/** The lines that are lowest somewhere: the lower hull of the points (e^ε, δ). */
function lowest(points: readonly Line[]): readonly Line[] {
  const hull: Line[] = [];
  const slope = (a: Line, b: Line): number => (b.delta - a.delta) / (b.odds - a.odds);
  for (const point of points) {
    for (;;) {
      const [last, before] = [hull.at(-1), hull.at(-2)];
      if (!last || !before || slope(before, last) < slope(last, point)) break;
      hull.pop();
    }
    hull.push(point);
  }
  return hull;
}
