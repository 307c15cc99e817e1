import { invalidParameter } from "../errors/lethe-error.ts";
import type { Bounds } from "../losses/measures/privacy-curve.ts";
import { type DominatingPair, discretePair } from "../losses/pld/pairs/index.ts";
import { doubleAt, lastElement } from "../numeric/elements/element-at.ts";
import { gaussianSlot } from "./gaussian-slot.ts";
import { addSlots, composeRatios, normalized, type RatioKind, type RatioLaw } from "./ratio-law.ts";
import { checkCount, checkEpsilon } from "./subsampled-epsilon.ts";

/** Every unit takes part in `selected` of `steps` steps, drawn uniformly and independently of the other units. */
export interface RandomAllocationRun {
  readonly steps: number;
  readonly selected: number;
  /** Noise N(0, sigma²) on every coordinate of every step's sum. */
  readonly sigma: number;
  /** ℓ2 norm of what one unit adds to a step's sum. */
  readonly sensitivity: number;
}

/** δ of both directions: with the unit against without it, and the reverse. */
export interface DirectedBounds {
  readonly remove: Bounds;
  readonly add: Bounds;
}

/** The loss of one run under add-or-remove-one. Its laws are computed on first use and kept. */
export interface RandomAllocation {
  /** Errors: parameter.invalid unless ε ≥ 0 and finite. */
  delta(epsilon: number): Bounds;
  /** Errors: parameter.invalid unless 0 ≤ δ < 1. */
  epsilon(delta: number): Bounds;
  directed(epsilon: number): DirectedBounds;
  /** A dominating pair, for composition with other runs; `tail` ∈ (0, 0.01] is about the mass that goes to +∞. */
  pair(tail?: number): DominatingPair;
}

/** Nodes of a law. The width of an ε interval is about 1e-4 at 2000 and falls with the square. */
const defaultNodes = 2000;
const theorem = "random allocation, pairs of likelihood ratios";
const unit = 2 ** -53;
/** More steps only take loss away (a mean of more ratios is an average of means of fewer); beyond this they are not counted. */
const mostSteps = 2 ** 30;

/**
 * The loss of random allocation (balls in bins): 1-of-t exactly, between two discretised laws of the ratio
 * R = (1/t)·Σ exp(μxᵢ − μ²/2), xᵢ ~ N(0, 1), μ = sensitivity/σ, that are doubled from slot to slots; k-of-t from above by the
 * k-fold composition of 1-of-⌊t/k⌋. Adaptive steps included. Proof: ./random-allocation.proof.md
 * Source: pairs: Chua et al. 2025 (arXiv 2412.16802), Thm 3; k of t: Feldman & Shenfeld 2025 (arXiv 2502.08202).
 * Direction: upper.
 * Errors: parameter.invalid unless 0 ≤ selected ≤ steps are whole numbers, steps ≥ 1, σ > 0 and finite, sensitivity ≥ 0, and
 * σ large enough against the sensitivity for ratios to be doubles (about 1/25 of it).
 * @example randomAllocation({ steps: 100, selected: 1, sigma: 1, sensitivity: 1 }).epsilon(1e-6) // 0.857945 … 0.858073
 */
export function randomAllocation(run: RandomAllocationRun, nodes: number = defaultNodes): RandomAllocation {
  checkRun(run, nodes);
  const laws = new Map<string, RatioLaw>();
  const law = (kind: RatioKind, tail: number): RatioLaw => {
    const key = `${kind} ${tail}`;
    const known = laws.get(key) ?? lawOf(run, kind, nodes, tail);
    laws.set(key, known);
    return known;
  };
  const free = run.selected === 0 || run.sensitivity === 0;
  // A random partition into blocks is revealed when 1 < k < t: only the upper end is a bound of the mechanism.
  const reached = (run.selected === 1 && run.steps <= mostSteps) || run.selected === run.steps;

  const directed = (epsilon: number, tail: number): DirectedBounds => {
    if (free) return { remove: exactly(0), add: exactly(0) };
    const [above, below] = [law("dominating", tail), reached ? law("dominated", tail) : null];
    const bounds = (direction: Direction): Bounds => ({
      lower: below === null ? 0 : deltaBelow(below, epsilon, direction),
      upper: deltaAbove(above, epsilon, direction),
      provenance: { lower: below === null ? "trivial" : theorem, upper: theorem },
    });
    return { remove: bounds("remove"), add: bounds("add") };
  };

  return {
    directed: (epsilon) => {
      checkEpsilon(epsilon);
      return directed(epsilon, tails[0]);
    },
    delta: (epsilon) => {
      checkEpsilon(epsilon);
      const both = directed(epsilon, tails[0]);
      return {
        lower: Math.max(both.remove.lower, both.add.lower),
        upper: Math.max(both.remove.upper, both.add.upper),
        provenance: both.remove.provenance,
      };
    },
    epsilon: (delta) => {
      if (!(delta >= 0 && delta < 1)) throw invalidParameter("delta", delta, "at least 0 and below 1");
      if (free) return exactly(0);
      const infinite = Number.POSITIVE_INFINITY;
      // Gaussian noise never gives pure DP; below 1e-290 no law tells δ from 0.
      if (delta === 0)
        return { lower: infinite, upper: infinite, provenance: { lower: theorem, upper: theorem } };
      const tail = tails.find((x) => x <= delta * 1e-4);
      if (tail === undefined)
        return { lower: 0, upper: infinite, provenance: { lower: "trivial", upper: "trivial" } };
      const above = law("dominating", tail);
      const upper = leastEpsilon(above, (e) => worst(deltaAbove, above, e) <= delta, 1);
      const below = reached ? law("dominated", tail) : null;
      const lower = below === null ? 0 : leastEpsilon(below, (e) => worst(deltaBelow, below, e) <= delta, 0);
      return {
        lower: Math.min(lower, upper),
        upper,
        provenance: { lower: below === null ? "trivial" : theorem, upper: theorem },
      };
    },
    pair: (tail = 1e-18) => {
      if (!(tail > 0 && tail <= 0.01)) throw invalidParameter("tail", tail, "in (0, 0.01]");
      const pair = pairOf(run, free ? null : law("dominating", Math.max(tail, 1e-280)), nodes, tail);
      return free || !reached ? pair : { ...pair, reached: [reachedPair(pair.id, law("dominated", tail))] };
    },
  };
}

/** Levels of truncation; each law is good for the δ's well above it. */
const tails = [1e-18, 1e-28, 1e-45, 1e-80, 1e-140, 1e-280] as const;

function checkRun({ steps, selected, sigma, sensitivity }: RandomAllocationRun, nodes: number): void {
  checkCount("steps", steps, 1);
  checkCount("selected", selected, 0);
  if (!(selected <= steps)) throw invalidParameter("selected", selected, "at most the steps");
  if (!(sigma > 0 && sigma < Number.POSITIVE_INFINITY))
    throw invalidParameter("sigma", sigma, "> 0 and finite");
  if (!(sensitivity >= 0 && sensitivity < Number.POSITIVE_INFINITY)) {
    throw invalidParameter("sensitivity", sensitivity, "≥ 0 and finite");
  }
  if (!(Number.isInteger(nodes) && nodes >= 400 && nodes <= 20_000)) {
    throw invalidParameter("nodes", nodes, "an integer from 400 to 20000");
  }
}

function lawOf(run: RandomAllocationRun, kind: RatioKind, nodes: number, tail: number): RatioLaw {
  // A tiny μ is raised, where that only adds loss, so that nodes stay apart in doubles.
  const exact = run.sensitivity / run.sigma;
  const mu = kind === "dominating" ? Math.max(exact * (1 + 2 * unit), 1e-6) : exact * (1 - 2 * unit);
  const all = run.selected === run.steps;
  const slotMu = all ? mu * Math.sqrt(run.steps) * (kind === "dominating" ? 1 + 4 * unit : 1 - 4 * unit) : mu;
  const reach = Math.sqrt(-2 * Math.log(tail));
  // A product of ratios must stay a double: of a slot, of all slots, of all blocks.
  const blocks = all ? 1 : run.selected;
  if (!(slotMu * (reach + slotMu / 2) <= 600)) {
    throw invalidParameter("sigma", run.sigma, "large enough against the sensitivity (about 1/25 of it)");
  }
  const slot = slotLaw(slotMu, kind, nodes, tail);
  if (all) return slot;
  const perBlock = Math.floor(run.steps / run.selected);
  const block = normalized(
    power(slot, Math.min(perBlock, mostSteps), (a, b) => addSlots(a, b, kind, nodes, tail)),
  );
  return power(block, blocks, (a, b) => composeRatios(a, b, kind, nodes, tail));
}

/** Returns the law of one slot. Below μ = 1e-6 the dominated law is a single atom at ratio 1, which claims no loss. */
function slotLaw(mu: number, kind: RatioKind, nodes: number, tail: number): RatioLaw {
  if (kind === "dominated" && mu < 1e-6) {
    return {
      slots: 1,
      nodes: Float64Array.of(1),
      q: Float64Array.of(1),
      infiniteP: 0,
      error: 0,
      ratioError: 0,
    };
  }
  return gaussianSlot(mu, kind, nodes, tail);
}

/** Returns the n-fold join of a law, by doubling, lowest binary digit first. */
function power(one: RatioLaw, n: number, join: (a: RatioLaw, b: RatioLaw) => RatioLaw): RatioLaw {
  let total: RatioLaw | null = null;
  let doubled = one;
  for (let left = n; ; ) {
    if (left % 2 === 1) {
      total = total === null ? doubled : join(total, doubled);
      if (left === 1) return total;
    }
    left = Math.floor(left / 2);
    doubled = join(doubled, doubled);
  }
}

type Direction = "remove" | "add";

/** E_Q[(R − e^ε)₊], or E_Q[(1 − e^ε·R)₊], of the finite atoms; the exponent is moved by `shift`. */
function hockeyStick(law: RatioLaw, epsilon: number, direction: Direction, shift: number): number {
  const bar = Math.exp(epsilon + shift) * (1 + shift);
  let total = 0;
  for (let i = 0; i < law.q.length; i += 1) {
    const ratio = doubleAt(law.nodes, i) / law.slots;
    const gain = direction === "remove" ? ratio - bar : 1 - bar * ratio;
    if (gain > 0) total += doubleAt(law.q, i) * gain;
  }
  return total;
}

/** Exponents are right to a unit in the last place of e^x, and of x itself. */
const shiftOf = (law: RatioLaw, epsilon: number): number => law.ratioError + (8 + 2 * epsilon) * unit;

function deltaAbove(law: RatioLaw, epsilon: number, direction: Direction): number {
  const infinite = direction === "remove" ? law.infiniteP : 0;
  const finite = hockeyStick(law, epsilon, direction, -shiftOf(law, epsilon));
  return Math.min(1, (finite * (1 + 2 * law.error + 1e-12) + infinite) * (1 + 4 * unit) + 1e-290);
}

function deltaBelow(law: RatioLaw, epsilon: number, direction: Direction): number {
  const finite = hockeyStick(law, epsilon, direction, shiftOf(law, epsilon));
  return Math.max(0, finite * (1 - 2 * law.error - 1e-12));
}

function worst(
  delta: (law: RatioLaw, epsilon: number, direction: Direction) => number,
  law: RatioLaw,
  epsilon: number,
): number {
  return Math.max(delta(law, epsilon, "remove"), delta(law, epsilon, "add"));
}

/** The least ε at which a monotone statement holds, from above (end 1) or from below (end 0); +∞ where it never does. */
function leastEpsilon(law: RatioLaw, holds: (epsilon: number) => boolean, end: 0 | 1): number {
  if (holds(0)) return 0;
  const positive =
    doubleAt(
      law.nodes,
      law.nodes.findIndex((s) => s > 0),
    ) / law.slots;
  let low = 0;
  let high = Math.max(Math.log(lastElement(law.nodes) / law.slots), -Math.log(positive)) + 1e-6;
  if (!holds(high)) return end === 1 ? Number.POSITIVE_INFINITY : high;
  for (let step = 0; step < 64 && high - low > 1e-14 * high; step += 1) {
    const middle = (low + high) / 2;
    if (holds(middle)) high = middle;
    else low = middle;
  }
  return end === 1 ? high : low;
}

function exactly(x: number): Bounds {
  return { lower: x, upper: x, provenance: { lower: "no use of the data", upper: "no use of the data" } };
}

/** The atoms of a dominating law; masses grow by their error bound, so that no sum over them is too small. */
function pairOf(
  { steps, selected, sigma, sensitivity }: RandomAllocationRun,
  law: RatioLaw | null,
  nodes: number,
  tail: number,
): DominatingPair {
  const id = `random-allocation(${steps},${selected},${sigma},${sensitivity},${nodes},${tail})`;
  if (law === null) {
    const atoms = { loss: Float64Array.of(0), p: Float64Array.of(1), q: Float64Array.of(1) };
    return discretePair({
      id,
      tight: true,
      atoms,
      infiniteP: 0,
      infiniteQ: 0,
      group: () => pairOf({ steps, selected, sigma, sensitivity }, null, nodes, tail),
    });
  }
  const grown = 1 + law.error + 4 * unit;
  // A pair's losses may be off by 16 units; what ratios are off beyond that is paid for at ±∞.
  const slack = Math.max(0, law.ratioError - 10 * unit);
  const [loss, p, q]: [number[], number[], number[]] = [[], [], []];
  let [infiniteP, infiniteQ] = [law.infiniteP + slack, slack];
  for (let i = 0; i < law.q.length; i += 1) {
    const ratio = doubleAt(law.nodes, i) / law.slots;
    const mass = doubleAt(law.q, i) * grown;
    if (!(mass > 0)) continue;
    if (ratio > 0 && mass > 1e-290 && mass * ratio > 1e-290) {
      loss.push(logOf(ratio));
      p.push(mass * ratio);
      q.push(mass);
    } else {
      infiniteP += mass * ratio * grown;
      infiniteQ += mass * grown;
    }
  }
  return discretePair({
    id,
    tight: false,
    atoms: { loss: Float64Array.from(loss), p: Float64Array.from(p), q: Float64Array.from(q) },
    infiniteP: Math.min(1, infiniteP * grown),
    infiniteQ: Math.min(1, infiniteQ * grown),
    group: () => null,
  });
}

/** The atoms of a dominated law, of which some neighbours reach each: masses are never too large, and what is beyond doubles is left out. */
function reachedPair(id: string, law: RatioLaw): DominatingPair {
  const shrunk = 1 - 2 * law.error - 8 * unit;
  const [loss, p, q]: [number[], number[], number[]] = [[], [], []];
  for (let i = 0; i < law.q.length; i += 1) {
    const ratio = doubleAt(law.nodes, i) / law.slots;
    const mass = doubleAt(law.q, i) * shrunk;
    if (!(mass > 1e-290 && mass * ratio > 1e-290)) continue;
    loss.push(logOf(ratio));
    p.push(mass * ratio);
    q.push(mass);
  }
  const pair = discretePair({
    id: `reached(${id})`,
    tight: true,
    atoms: { loss: Float64Array.from(loss), p: Float64Array.from(p), q: Float64Array.from(q) },
    infiniteP: 0,
    infiniteQ: 0,
    group: () => null,
  });
  return { ...pair, lossError: law.ratioError };
}

/** ln R, with its digits near R = 1, where R − 1 is exact. */
function logOf(ratio: number): number {
  return ratio > 0.5 && ratio < 2 ? Math.log1p(ratio - 1) : Math.log(ratio);
}
