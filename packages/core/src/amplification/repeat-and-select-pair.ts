import { atomsOf, type DominatingPair, discretePair, profilePair } from "../losses/pld/pairs/index.ts";
import { doubleAt, elementAt } from "../numeric/elements/element-at.ts";
import { cellsOf, type Masses, mirrored, spreadToEdges } from "./loss-atoms.ts";
import { type BestOfRuns, bestOfRuns, type RunLaw } from "./run-law.ts";
import { WorstPlaces } from "./worst-places.ts";

/** The δ of one run at which the orders that serve compositions are worst. */
const composedDeltas: readonly number[] = [1e-2, 1e-4];
/** An outcome of more mass is told from itself by independent marks. */
const largestMass = 1 / 4000;

/** The pairs that were made last, by id: plans and checks of one choice ask for the same again and again. Equal ids are equal pairs. */
const recent = new Map<string, DominatingPair>();
const mostRecent = 16;

/**
 * The best of a random number of runs of what `base` dominates, whatever the order. The bound places every outcome where it adds the most to
 * δ; lower ends are those of orders that move the outcomes that count to their places, by runs that reach `base`.
 * Proof: ./repeat-and-select-pair.proof.md
 * Source: by its own proof; the law of the best from Papernot & Steinke 2022 (arXiv 2110.03620)
 * Direction: upper
 * Errors: parameter.invalid for a law of runs that bestOfRuns refuses.
 * @example selectedPair(gaussianPair(0.5), { law: "negative-binomial", shape: 1, stop: 0.1 }) // δ = 1e-5 at ε ≤ 3.010
 */
export function selectedPair(base: DominatingPair, runs: RunLaw): DominatingPair {
  const best = bestOfRuns(runs);
  const id = `selected(${best.name},${base.id})`;
  const pair = recent.get(id) ?? bestOf(base, best, id);
  // The pair that was asked for last is dropped last.
  recent.delete(id);
  recent.set(id, pair);
  const [oldest] = recent.keys();
  if (recent.size > mostRecent && oldest !== undefined) recent.delete(oldest);
  return pair;
}

function bestOf(base: DominatingPair, best: BestOfRuns, id: string): DominatingPair {
  const worst = directionsOf(base).map((masses) => new WorstPlaces(spreadToEdges(masses), best));
  const bound = profilePair((epsilon) => Math.max(...worst.map((one) => one.delta(epsilon))), id);
  const orders = (base.tight ? [base] : (base.reached ?? [])).flatMap(directionsOf).map((masses) => {
    const places = new WorstPlaces(spreadToEdges(masses), best);
    return (epsilon: number): readonly DominatingPair[] =>
      movedShares(places, best, epsilon).map((most) => {
        const moved = { most, place: (p: number, q: number) => places.place(p, q, epsilon) };
        return orderedPair(masses, best, moved, `${id},${epsilon},${most}`);
      });
  });
  const epsilons = composedDeltas.map((delta) => elementAt(worst, 0).epsilon(delta));
  return {
    ...bound,
    reached: orders.flatMap((order) => epsilons.map((epsilon) => elementAt(order(epsilon), 0))),
    reachedAt: (epsilon) => orders.flatMap((order) => order(0.999 * epsilon)),
  };
}

/** How much of P is moved: all that counts; a few times what δ takes, where all that counts is much; nothing. */
function movedShares(places: WorstPlaces, best: BestOfRuns, epsilon: number): readonly number[] {
  const delta = places.delta(epsilon) / best.factor(places.place(1, 0, epsilon) ?? 1);
  return [1, 3, 10, 30, 100, 300].map((times, i) => (i === 0 ? 1 : times * delta)).concat(0);
}

function directionsOf(pair: DominatingPair): readonly Masses[] {
  const forward = cellsOf(pair);
  return pair.symmetric ? [forward] : [forward, mirrored(forward)];
}

/** The outcomes that leave the order of their losses: those of the greatest loss, up to `most` of P's mass. Each moves to where P's mass above it is `place`. */
interface Moved {
  readonly most: number;
  /** Returns the P-mass above the new place of such outcomes; null where they stay. */
  place(p: number, q: number): number | null;
}

/** Outcomes of one kind, told from those of others. */
interface Outcomes {
  /** The approximate mass of P above them. */
  readonly above: number;
  readonly p: number;
  readonly q: number;
}

/**
 * The best of a random number of outcomes under one order: from the least loss, the best, to the greatest, but for those that have a place
 * of their own. Masses are never too large, and losses off by `lossError`.
 */
function orderedPair(masses: Masses, best: BestOfRuns, moved: Moved, id: string): DominatingPair {
  const kept = 1 - best.slack;
  let [aboveP, aboveQ, infiniteP, infiniteQ] = [0, 0, 0, 0];
  const rows = best.none > 0 ? [{ loss: 0, p: best.none * kept, q: best.none * kept }] : [];
  for (const { p, q } of inOrder(masses, moved)) {
    const [bestP, bestQ] = [best.mass(aboveP, p) * kept, best.mass(aboveQ, q) * kept];
    aboveP += p;
    aboveQ += q;
    if (q === 0) infiniteP += bestP;
    else if (p === 0) infiniteQ += bestQ;
    else if (bestP > 1e-290 && bestQ > 1e-290) {
      rows.push({ loss: Math.log(bestP / bestQ), p: bestP, q: bestQ });
    }
  }
  const pair = discretePair({
    id: `ordered(${id})`,
    tight: true,
    atoms: atomsOf(rows),
    infiniteP: Math.min(1, infiniteP),
    infiniteQ: Math.min(1, infiniteQ),
    group: () => null,
  });
  return { ...pair, lossError: 2 * best.slack };
}

/** Returns all outcomes, the best first. */
function inOrder({ p, q, infiniteP, infiniteQ }: Masses, moved: Moved): readonly Outcomes[] {
  const allP = Float64Array.from([
    ...(infiniteQ > 0 ? [0] : []),
    ...p,
    ...(infiniteP > 0 ? [infiniteP] : []),
  ]);
  const allQ = Float64Array.from([
    ...(infiniteQ > 0 ? [infiniteQ] : []),
    ...q,
    ...(infiniteP > 0 ? [0] : []),
  ]);
  const outcomes: Outcomes[] = [];
  let above = allP.reduce((a, b) => a + b, 0);
  let left = moved.most;
  for (let i = allP.length - 1; i >= 0; i--) {
    const [massP, massQ] = [doubleAt(allP, i), doubleAt(allQ, i)];
    const place = left > 0 ? moved.place(massP, massQ) : null;
    const share = place === null ? 0 : Math.min(1, left / massP);
    if (place !== null) outcomes.push({ above: place, p: share * massP, q: share * massQ });
    left -= share * massP;
    const [restP, restQ] = [(1 - share) * massP, (1 - share) * massQ];
    const parts = share === 1 ? 0 : Math.ceil(Math.max(restP, restQ) / largestMass);
    above -= massP;
    for (let k = 1; k <= parts; k++) {
      outcomes.push({ above: above + (massP * (parts - k)) / parts, p: restP / parts, q: restQ / parts });
    }
  }
  // Equal places: the greater loss counts as better.
  return outcomes.sort((a, b) => a.above - b.above);
}
