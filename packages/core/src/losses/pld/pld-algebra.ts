import { selectedPair } from "../../amplification/repeat-and-select-pair.ts";
import type { RunLaw } from "../../amplification/run-law.ts";
import { truncatedPoissonPair } from "../../amplification/truncated-poisson-pair.ts";
import { invalidParameter } from "../../errors/lethe-error.ts";
import { nextDown } from "../../numeric/directed.ts";
import type { LossAlgebra } from "../loss-algebra.ts";
import type { Adjacency } from "../measures/adjacency.ts";
import type { SamplingScheme } from "../measures/sampling-scheme.ts";
import {
  type CountedPair,
  defaultAccuracy,
  mergeGaussians,
  mergePairs,
  onlyStep,
  pldCurve,
  pldProfile,
  pldReached,
  worstCurve,
} from "./curves/index.ts";
import {
  type DominatingPair,
  mixedPair,
  profilePair,
  sampledApart,
  sampledPair,
  trianglePair,
  twoPointPair,
} from "./pairs/index.ts";

/**
 * Compositions of dominating pairs, equal pairs counted. There is one but for groups, whose members may have come or gone: then one of them
 * or its mirror holds for every pair of neighbours, not the same for all, and the loss is the worst. Immutable.
 */
export interface PldLoss {
  readonly cases: readonly (readonly CountedPair[])[];
}

/** The loss of one step of a pair. */
export function pldLoss(pair: DominatingPair): PldLoss {
  return { cases: [mergePairs([{ pair, count: 1n }])] };
}

/** Privacy-loss distributions: the tightest representation wherever a pair is known. Certified by ../pld/pld.proof.md. */
export const pldAlgebra: LossAlgebra<PldLoss> = {
  id: "pld",
  none: { cases: [[]] },
  compose: (losses) => {
    const grouped = losses.filter(({ cases }) => cases.length > 1);
    const rest = losses.flatMap((loss) => onlyCase(loss) ?? []);
    const [first, ...others] = grouped;
    if (first === undefined) return { cases: [mergePairs(rest)] };
    if (others.length > 0 || rest.some(({ pair }) => !pair.symmetric)) {
      throw invalidParameter(
        "losses",
        "a group's",
        "composed inside the group: parts may see other members come",
      );
    }
    return { cases: first.cases.map((pairs) => mergePairs([...pairs, ...rest])) };
  },
  power: (loss, n) => {
    if (!(n >= 0n)) throw invalidParameter("n", n, "at least 0");
    if (n > 1n && loss.cases.length > 1) {
      throw invalidParameter("n", n, "at most 1 where runs may see other members of a group come");
    }
    return {
      cases: loss.cases.map((pairs) => mergePairs(pairs.map((one) => ({ ...one, count: one.count * n })))),
    };
  },
  group,
  mix: (parts) => {
    if (parts.length === 0) throw invalidParameter("parts", "none", "at least one");
    const single = parts.flatMap(({ weight, loss }) => {
      const pairs = onlyCase(loss);
      return pairs === null ? [] : [{ weight, pair: asOnePair(pairs) }];
    });
    return single.length === parts.length ? pldLoss(mixedPair(single)) : null;
  },
  sample,
  curve: (loss, accuracy) =>
    worstCurve(
      loss.cases.map((pairs) => ({
        curve: pldCurve(pairs, accuracy),
        rough: pldCurve(pairs, Math.min(1, 100 * (accuracy ?? defaultAccuracy))),
      })),
    ),
};

/** The pairs where they hold for all neighbours; else null. */
function onlyCase({ cases }: PldLoss): readonly CountedPair[] | null {
  const [first, ...others] = cases;
  return first !== undefined && others.length === 0 ? first : null;
}

/** Every step seen by the group; null where that is not known of some step, or k is beyond 2^53. */
function group(loss: PldLoss, k: bigint): PldLoss | null {
  if (!(k >= 1n)) throw invalidParameter("k", k, "at least 1");
  const pairs = onlyCase(loss);
  if (k === 1n || pairs?.length === 0) return loss;
  if (pairs === null || k > BigInt(Number.MAX_SAFE_INTEGER)) return null;
  const size = Number(k);
  const cases: (readonly CountedPair[])[] = [];
  for (const added of membersAdded(pairs, size)) {
    const seen = seenBy(pairs, added, size - added);
    if (seen === null) return null;
    cases.push(seen);
  }
  return { cases };
}

/**
 * How many of a group came, where the others went; it is the same in all steps. A case's mirror is the case of as many gone, so half of
 * them say all. One case where no pair tells them apart. Proof: ./pairs/gaussian-mixture.proof.md
 */
function membersAdded(pairs: readonly CountedPair[], size: number): readonly number[] {
  if (!pairs.some(({ pair }) => pair.apart?.(size, 0))) return [size];
  return Array.from({ length: Math.floor(size / 2) + 1 }, (_, i) => size - i);
}

function seenBy(
  pairs: readonly CountedPair[],
  added: number,
  removed: number,
): readonly CountedPair[] | null {
  const seen: CountedPair[] = [];
  for (const { pair, count } of pairs) {
    const grouped = pair.apart?.(added, removed) ?? pair.group(added + removed);
    if (grouped === null) return null;
    seen.push({ pair: grouped, count });
  }
  return mergePairs(seen);
}

function sample(loss: PldLoss, scheme: SamplingScheme, adjacency: Adjacency): PldLoss | null {
  const pairs = onlyCase(loss);
  if (scheme.kind === "poisson") {
    const { rate, keep } = scheme;
    if (!(rate >= 0 && rate <= 1)) throw invalidParameter("rate", rate, "a number in [0, 1]");
    if (rate === 0 || pairs?.length === 0) return pldAlgebra.none;
    if (pairs === null) return null;
    const pair = asOnePair(pairs);
    if (adjacency === "add-or-remove-one") return pldLoss(sampledPair(pair, rate, keep));
    const units = { rate, ...(keep === undefined ? {} : { keep }), added: 1, removed: 1 };
    return pldLoss(sampledApart(pair, units) ?? replacedInPoissonSample(pairs, rate));
  }
  if (scheme.kind === "truncated-poisson") {
    if (scheme.rate === 0 || pairs?.length === 0) return pldAlgebra.none;
    const swapped = pairs && seenBy(pairs, 1, 1);
    if (!swapped) return null;
    const step = { one: asOnePair(pairs), replaced: asOnePair(swapped) };
    const pair = truncatedPoissonPair(step, scheme, adjacency);
    return pair && pldLoss(pair);
  }
  const { population, sample: size } = scheme;
  if (!(Number.isInteger(population) && population >= 1)) {
    throw invalidParameter("population", population, "a whole number from 1");
  }
  if (!(Number.isInteger(size) && size >= 0 && size <= population)) {
    throw invalidParameter("sample", size, "a whole number up to population");
  }
  if (adjacency !== "replace-one") return null;
  if (size === 0 || pairs?.length === 0) return pldAlgebra.none;
  if (size === population) return loss;
  return pairs === null ? null : pldLoss(drawnWithoutReplacement(pairs, size / population));
}

/** The best of a random number of runs. */
export function selectBest(loss: PldLoss, runs: RunLaw): PldLoss | null {
  const pairs = onlyCase(loss);
  if (pairs?.length === 0) return pldAlgebra.none;
  return pairs === null ? null : pldLoss(selectedPair(asOnePair(pairs), runs));
}

/** Identifies a composition by its pairs and counts. */
function nameOf(pairs: readonly CountedPair[]): string {
  return pairs.map(({ pair, count }) => `${count}×${pair.id}`).join("+");
}

/** A whole composition as one step: itself where it is one, else the pair of its profile. */
function asOnePair(pairs: readonly CountedPair[]): DominatingPair {
  const merged = mergeGaussians(pairs);
  if (merged.length === 0) return twoPointPair(0, 0);
  const one = onlyStep(merged);
  if (one !== null) return one;
  const id = nameOf(pairs);
  let reached: readonly DominatingPair[] | undefined;
  return {
    ...profilePair(pldProfile(merged), id),
    // Made when first asked for: few questions need it.
    get reached() {
      reached ??= pldReached(merged, id);
      return reached;
    },
  };
}

/** Covers the rounding of the few operations on the way from ε to δ. */
const margin = 1 + 1e-11;

/**
 * Replace-one on a Poisson sample. With A on the sample of the rest, B and B′ with either unit: for γ′ = 1 + s·(γ − 1) and β = γ′/γ,
 * H_γ′((1−s)A + sB ‖ (1−s)A + sB′) ≤ s·((1−β)·H_γ(B‖A) + β·H_γ(B‖B′)) (Balle, Barthe & Gaboardi 2018, Thm 2). B′ is two steps of
 * add-or-remove-one from B: the pairs of a group of two, or H_γ(B‖B′) ≤ (1 + √γ)·δ(√γ) along A.
 */
function replacedInPoissonSample(pairs: readonly CountedPair[], rate: number): DominatingPair {
  const one = pldProfile(pairs);
  const both = seenBy(pairs, 1, 1);
  const grouped = both === null ? null : pldProfile(both);
  const two = (epsilon: number): number =>
    grouped !== null ? grouped(epsilon) : Math.min(1, (1 + Math.exp(epsilon / 2)) * one(epsilon / 2));
  if (rate === 1) return profilePair((epsilon) => two(epsilon) * margin, `replaced(${nameOf(pairs)})`);
  const delta = (epsilon: number): number => {
    const inner = Math.log1p(Math.expm1(epsilon) / rate);
    const beta = Math.exp(epsilon - inner);
    return rate * (Math.max(0, 1 - beta) * one(inner) + beta * two(inner)) * margin;
  };
  return profilePair(delta, `replaced(${rate},${nameOf(pairs)})`);
}

/**
 * H_{1 + r(γ − 1)} ≤ r·H_γ for a sample of the share r, both under replace-one (Balle, Barthe & Gaboardi 2018, Thm 11). No neighbours reach
 * both directions of it; see {@link reachedByDraws}.
 */
function drawnWithoutReplacement(pairs: readonly CountedPair[], share: number): DominatingPair {
  const delta = pldProfile(pairs);
  const bound = profilePair(
    (epsilon) => share * delta(Math.log1p(Math.expm1(epsilon) / share)) * margin,
    `drawn(${share},${nameOf(pairs)})`,
  );
  const one = asOnePair(pairs);
  return one.tight ? { ...bound, reached: reachedByDraws(one, nextDown(share)) } : bound;
}

/**
 * Returns pairs that neighbours reach on a sample without replacement. If all other units equal the one that comes in another's place, the
 * neighbours reach (1 − r)Q + rP against Q in one direction, which is the largest loss of one step. Over many steps a unit and its replacement
 * at two corners of a triangle, with all others at the third, lose more. Proof: ../../amplification/subsampled-loss.proof.md
 */
function reachedByDraws(one: DominatingPair, share: number): readonly DominatingPair[] {
  const single = sampledPair(one, share);
  const mu = one.gaussian;
  return mu !== null && mu > 0 && mu <= 10 ? [single, trianglePair(mu, share)] : [single];
}
