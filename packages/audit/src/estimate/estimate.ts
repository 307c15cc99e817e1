import { type BitSource, toDouble } from "@lethe/core";
import { elementAt, multiplyUp, subtractDown } from "@lethe/core/numeric";
import { SeededSource } from "@lethe/core/tape";
import type { Output, Side, Subject } from "../subject.ts";
import type { Point } from "../verify/claim.ts";
import type { Chance } from "./binomial-tail.ts";
import { chooseEvent, type OutputEvent } from "./choose-event.ts";
import { clopperPearson } from "./clopper-pearson.ts";
import { growthUp } from "./growth-up.ts";

export interface EstimateOptions {
  /** The seed of the coins; another seed is another experiment. */
  readonly seed: number;
  /** Outputs drawn of each neighbour: a third chooses the event, the rest judges it. */
  readonly samples: number;
  /** The chance that a mechanism which keeps its claim is called broken, over all its pairs and directions. */
  readonly falseAlarm: number;
}

/** One event, certified on fresh samples: with confidence, P[S] ≥ p.lo and Q[S] ≤ q.hi at once. */
export interface Certified {
  readonly pair: number;
  readonly backwards: boolean;
  readonly event: string;
  readonly p: Chance;
  readonly q: Chance;
  /** The number of times that S was met on either side, in `fresh` outputs each. */
  readonly met: readonly [left: number, right: number];
  readonly fresh: number;
  /** A claimed point that the two bounds break, or null. */
  readonly broken: Point | null;
  /** A lower bound of ε at the δ of the point where the claim is tightest. */
  readonly epsilon: number;
  /** The ε that is claimed there. */
  readonly claimed: number;
}

export interface Estimate {
  /** The pair and direction that say most. */
  readonly worst: Certified;
  readonly all: readonly Certified[];
  readonly broken: boolean;
}

/**
 * A lower bound of what a mechanism loses, from its outputs alone: on a third of the samples an event is chosen for each pair and
 * direction, on the others P[S] from below and Q[S] from above are certified, and every point of the claimed curve is held against
 * the two. Since both bounds hold at once with the stated confidence, no price is paid for the number of points.
 * Source: Clopper & Pearson 1934; Ding et al. 2018; Bichsel et al. 2021 (events by likelihood ratio).
 * Direction: lower: a correct mechanism is called broken with chance at most `falseAlarm`, given ideal coins.
 */
export function estimate(subject: Subject, { seed, samples, falseAlarm }: EstimateOptions): Estimate {
  const choosing = Math.floor(samples / 3);
  const fresh = samples - choosing;
  const alpha = alphaOf(falseAlarm, subject);
  const all = subject.pairs.flatMap(([one, other], pair) => {
    const bits = new SeededSource(seed + 0x9e37 * pair);
    const [left, right] = [outputs(one, choosing, bits), outputs(other, choosing, bits)];
    const judged = { fresh, reach: Math.sqrt(2 * Math.log(1 / alpha)) };
    const forward = chooseEvent(subject.claim, left, right, judged);
    const backward = chooseEvent(subject.claim, right, left, judged);
    const events = { forward, backward };
    const [ofOne, ofOther] = [countEvents(one, fresh, bits, events), countEvents(other, fresh, bits, events)];
    const certified = (backwards: boolean, event: OutputEvent, met: Certified["met"]): Certified => {
      const [p, q] = [clopperPearson(met[0], fresh, alpha), clopperPearson(met[1], fresh, alpha)];
      const told = { pair, backwards, event: event.describes, met, fresh, p, q };
      return { ...told, ...held(subject.claim.points, p, q) };
    };
    return [
      certified(false, forward, [ofOne.forward, ofOther.forward]),
      certified(true, backward, [ofOther.backward, ofOne.backward]),
    ];
  });
  const worst = all.reduce((a, b) => (closeness(b) > closeness(a) ? b : a));
  return { worst, all, broken: all.some(({ broken }) => broken !== null) };
}

/** Two bounds for each pair and direction. */
const alphaOf = (falseAlarm: number, { pairs }: Subject): number => falseAlarm / (4 * pairs.length);

/** Whether the same counts break the claim at another false alarm, which must not have been chosen in view of them. */
export function brokenAt(subject: Subject, { all }: Estimate, falseAlarm: number): boolean {
  const alpha = alphaOf(falseAlarm, subject);
  return all.some(({ met: [left, right], fresh }) => {
    const [p, q] = [clopperPearson(left, fresh, alpha), clopperPearson(right, fresh, alpha)];
    return held(subject.claim.points, p, q).broken !== null;
  });
}

function outputs(side: Side, n: number, bits: BitSource): Output[] {
  return Array.from({ length: n }, () => side.run(bits));
}

/** How often each direction's event is met in n outputs of a side. */
function countEvents(
  side: Side,
  n: number,
  bits: BitSource,
  events: Readonly<Record<"forward" | "backward", OutputEvent>>,
): Readonly<Record<"forward" | "backward", number>> {
  const counts = { forward: 0, backward: 0 };
  for (let i = 0; i < n; i += 1) {
    const output = side.run(bits);
    if (events.forward.holds(output)) counts.forward += 1;
    if (events.backward.holds(output)) counts.backward += 1;
  }
  return counts;
}

/**
 * Returns the difference between a bound and the claim where the bound exceeds it; else, below 0, the relative share that is missing. So a point of a
 * curve where both are small does not count as close.
 * @example closeness({ epsilon: 0.75, claimed: 1 }) // => -0.25
 */
export function closeness({ epsilon, claimed }: Pick<Certified, "epsilon" | "claimed">): number {
  return epsilon >= claimed ? epsilon - claimed : epsilon / claimed - 1;
}

/** The claim against P[S] ≥ p.lo and Q[S] ≤ q.hi. */
function held(
  points: readonly Point[],
  p: Chance,
  q: Chance,
): { readonly broken: Point | null; readonly epsilon: number; readonly claimed: number } {
  let broken: Point | null = null;
  const first = elementAt(points, 0);
  let [epsilon, claimed, best] = [0, toDouble(first.epsilon, "up"), Number.NEGATIVE_INFINITY];
  for (const point of points) {
    const delta = toDouble(point.delta, "up");
    const growth = growthUp(point.epsilon);
    const room = subtractDown(p.lo, delta);
    if (room > multiplyUp(growth, q.hi)) broken ??= point;
    const at = toDouble(point.epsilon, "up");
    // A bound of 0 where 0 is claimed says nothing; other points of a curve do.
    if (at === 0 && points.length > 1) continue;
    const least = room > 0 ? Math.max(0, Math.log(room / q.hi) - 1e-12) : 0;
    const says = closeness({ epsilon: least, claimed: at });
    if (says > best) [best, epsilon, claimed] = [says, least, at];
  }
  return { broken, epsilon, claimed };
}
