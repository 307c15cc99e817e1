import { elementAt, lastElement } from "../../../numeric/elements/element-at.ts";
import { atomsOf, type DominatingPair, discretePair } from "../pairs/index.ts";
import type { Interval } from "../search/direction.ts";
import type { ReachedProfiles } from "../search/pld-composition.ts";

/** Looked at on either side of ε = 0. */
const nodes = 1000;
const leastDelta = 1e-16;
const largestEpsilon = 200;
/** Tests are told apart whose chances of a false alarm, or of none, differ by this factor. */
const growth = Math.exp(0.1);
const leastAlarm = 1e-15;
const leastRest = 1e-3;
/** Covers the rounding of values and of cumulated masses. */
const lowered = 1e-10;

interface Test {
  readonly alarm: number;
  readonly power: number;
}

interface Point {
  readonly gamma: number;
  readonly delta: number;
}

/**
 * Returns the pair of nested tests of two laws whose profile is known between bounds: outcome j is that the first j − 1 tests are silent and
 * the j-th is not. The outcomes tell no more than the laws themselves, so that lower ends hold. Proof: ./pld.proof.md, "Tests"
 * Source: Blackwell 1953, by the convexity of profiles
 * Direction: lower
 */
export function pairOfTests({ forward, mirrored }: ReachedProfiles, id: string): DominatingPair {
  const below = minorant(forward, mirrored);
  const detected = (alarm: number): number => {
    let least = 1;
    for (const { gamma, delta } of below) least = Math.min(least, delta + gamma * alarm);
    return least * (1 - lowered);
  };
  const tests: Test[] = [{ alarm: 0, power: 0 }];
  for (let alarm = leastAlarm; alarm < 0.5; alarm *= growth)
    addTest(tests, { alarm, power: detected(alarm) });
  for (let rest = 0.5; rest > leastRest; rest /= growth) {
    addTest(tests, { alarm: 1 - rest, power: detected(1 - rest) });
  }
  addTest(tests, { alarm: 1, power: 1 });
  const rows = tests.slice(1).map(({ alarm, power }, i) => {
    const before = elementAt(tests, i);
    const [p, q] = [power - before.power, alarm - before.alarm];
    return { loss: Math.log(p / q), p, q };
  });
  return discretePair({
    id: `tests(${id})`,
    tight: true,
    atoms: atomsOf(rows),
    infiniteP: 0,
    infiniteQ: 0,
    group: () => null,
  });
}

/**
 * Keeps the upper hull: only where later outcomes are less likely under the first law than earlier ones, relative to the second, are the tests
 * the best of their outcomes.
 */
function addTest(tests: Test[], next: Test): void {
  const slope = (a: Test, b: Test): number => (b.power - a.power) / (b.alarm - a.alarm);
  for (;;) {
    const [before, last] = [tests.at(-2), tests.at(-1)];
    if (before === undefined || last === undefined || !(slope(before, last) <= slope(last, next))) break;
    tests.pop();
  }
  if (next.power > lastElement(tests).power) tests.push(next);
}

/** The vertices of a function of γ that lies nowhere above the profile. */
function minorant(
  forward: (epsilon: number) => Interval,
  mirrored: (epsilon: number) => Interval,
): readonly Point[] {
  const right = reachOf(forward);
  const left = reachOf(mirrored);
  const known: { readonly gamma: number; readonly lower: number; readonly upper: number }[] = [];
  for (let i = nodes; i > 0; i--) {
    const epsilon = (i * left) / nodes;
    const gamma = Math.exp(-epsilon);
    const { lower, upper } = mirrored(epsilon);
    known.push({ gamma, lower: 1 - gamma + gamma * lower, upper: 1 - gamma + gamma * upper });
  }
  for (let i = 0; i <= nodes; i++) {
    const epsilon = (i * right) / nodes;
    known.push({ gamma: Math.exp(epsilon), ...forward(epsilon) });
  }
  const first = elementAt(known, 0).gamma;
  const points: Point[] = [
    { gamma: 0, delta: 1 },
    { gamma: first, delta: 1 - first },
  ];
  for (const [i, { gamma, lower }] of known.entries()) {
    points.push({ gamma, delta: lower });
    const [before, next, after] = [known[i - 1], known[i + 1], known[i + 2]];
    if (next === undefined) continue;
    // Convexity: beyond two points a profile lies above their chord, here taken as low as the bounds allow. Of the greater of two lines only
    // their crossing matters besides the ends.
    const falling = before === undefined ? -1 : (lower - before.upper) / (gamma - before.gamma);
    const rising = after === undefined ? 0 : (after.upper - next.lower) / (after.gamma - next.gamma);
    const at = (next.lower - rising * next.gamma - lower + falling * gamma) / (falling - rising);
    if (at > gamma && at < next.gamma) {
      const delta = Math.max(lower + falling * (at - gamma), next.lower) - 1e-12 * lower;
      points.push({ gamma: at, delta: Math.max(0, delta) });
    }
  }
  points.push({ gamma: lastElement(known).gamma, delta: 0 });
  return points;
}

/** An ε at which next to nothing is left. */
function reachOf(profile: (epsilon: number) => Interval): number {
  let epsilon = 1;
  while (epsilon < largestEpsilon && profile(epsilon).lower > leastDelta) epsilon *= 1.5;
  return epsilon;
}
