import { invalidParameter } from "../errors/lethe-error.ts";
import type { Adjacency } from "../measures/adjacency.ts";
import {
  type DominatingPair,
  mixedPair,
  profilePair,
  sampledPair,
  twoPointPair,
} from "../measures/pairs/index.ts";
import type { SamplingScheme } from "../measures/sampling-scheme.ts";
import { type CountedPair, mergeGaussians, mergePairs, pldCurve, pldProfile } from "../pld/index.ts";
import type { Carrier } from "./carrier.ts";

/** A composition of dominating pairs, equal pairs counted. Immutable. */
export interface PldLoss {
  readonly pairs: readonly CountedPair[];
}

/** The loss of one step of a pair. */
export function pldLoss(pair: DominatingPair): PldLoss {
  return { pairs: mergePairs([{ pair, count: 1n }]) };
}

/** Privacy-loss distributions: the tightest carrier wherever a pair is known. Certified by ../pld/pld.proof.md. */
export const pldCarrier: Carrier<PldLoss> = {
  id: "pld",
  none: { pairs: [] },
  compose: (losses) => ({ pairs: mergePairs(losses.flatMap(({ pairs }) => pairs)) }),
  power: (loss, n) => {
    if (!(n >= 0n)) throw invalidParameter("n", n, "at least 0");
    return { pairs: mergePairs(loss.pairs.map(({ pair, count }) => ({ pair, count: count * n }))) };
  },
  group,
  mix: (parts) => {
    if (parts.length === 0) throw invalidParameter("parts", "none", "at least one");
    return pldLoss(mixedPair(parts.map(({ weight, loss }) => ({ weight, pair: asOnePair(loss) }))));
  },
  sample,
  curve: (loss, accuracy) => pldCurve(loss.pairs, accuracy),
};

/** Every step seen by the group; null where that is not known of some step, or k is beyond 2^53. */
function group(loss: PldLoss, k: bigint): PldLoss | null {
  if (!(k >= 1n)) throw invalidParameter("k", k, "at least 1");
  if (k === 1n || loss.pairs.length === 0) return loss;
  if (k > BigInt(Number.MAX_SAFE_INTEGER)) return null;
  const pairs: CountedPair[] = [];
  for (const { pair, count } of loss.pairs) {
    const grouped = pair.group(Number(k));
    if (grouped === null) return null;
    pairs.push({ pair: grouped, count });
  }
  return { pairs: mergePairs(pairs) };
}

function sample(loss: PldLoss, scheme: SamplingScheme, adjacency: Adjacency): PldLoss | null {
  if (scheme.kind === "poisson") {
    const { rate, keep } = scheme;
    if (!(rate >= 0 && rate <= 1)) throw invalidParameter("rate", rate, "a number in [0, 1]");
    if (rate === 0 || loss.pairs.length === 0) return pldCarrier.none;
    return adjacency === "add-or-remove-one"
      ? pldLoss(sampledPair(asOnePair(loss), rate, keep))
      : pldLoss(replacedInPoissonSample(loss, rate));
  }
  const { population, sample: size } = scheme;
  if (!(Number.isInteger(population) && population >= 1)) {
    throw invalidParameter("population", population, "a whole number from 1");
  }
  if (!(Number.isInteger(size) && size >= 0 && size <= population)) {
    throw invalidParameter("sample", size, "a whole number up to population");
  }
  if (adjacency !== "replace-one") return null;
  if (size === 0 || loss.pairs.length === 0) return pldCarrier.none;
  return size === population ? loss : pldLoss(drawnWithoutReplacement(loss, size / population));
}

/** Identifies a composition by its pairs and counts. */
function nameOf({ pairs }: PldLoss): string {
  return pairs.map(({ pair, count }) => `${count}×${pair.id}`).join("+");
}

/** A whole composition as one step: itself where it is one, else the pair of its profile. */
function asOnePair(loss: PldLoss): DominatingPair {
  const merged = mergeGaussians(loss.pairs);
  if (merged.length === 0) return twoPointPair(0, 0);
  const [first] = merged;
  if (merged.length === 1 && first!.count === 1n) return first!.pair;
  return profilePair(pldProfile(merged), nameOf(loss));
}

/** Covers the rounding of the few operations on the way from ε to δ. */
const margin = 1 + 1e-11;

/**
 * Replace-one on a Poisson sample. With A on the sample of the rest, B and B′ with either unit: for γ′ = 1 + s·(γ − 1) and β = γ′/γ,
 * H_γ′((1−s)A + sB ‖ (1−s)A + sB′) ≤ s·((1−β)·H_γ(B‖A) + β·H_γ(B‖B′)) (Balle, Barthe & Gaboardi 2018, Thm 2). B′ is two steps of
 * add-or-remove-one from B: the pairs of a group of two, or H_γ(B‖B′) ≤ (1 + √γ)·δ(√γ) along A.
 */
function replacedInPoissonSample(loss: PldLoss, rate: number): DominatingPair {
  const one = pldProfile(loss.pairs);
  const pair = group(loss, 2n);
  const grouped = pair === null ? null : pldProfile(pair.pairs);
  const two = (epsilon: number): number =>
    grouped !== null ? grouped(epsilon) : Math.min(1, (1 + Math.exp(epsilon / 2)) * one(epsilon / 2));
  if (rate === 1) return profilePair((epsilon) => two(epsilon) * margin, `replaced(${nameOf(loss)})`);
  const delta = (epsilon: number): number => {
    const inner = Math.log1p(Math.expm1(epsilon) / rate);
    const beta = Math.exp(epsilon - inner);
    return rate * (Math.max(0, 1 - beta) * one(inner) + beta * two(inner)) * margin;
  };
  return profilePair(delta, `replaced(${rate},${nameOf(loss)})`);
}

/** H_{1 + r(γ − 1)} ≤ r·H_γ for a sample of the share r, both under replace-one (Balle, Barthe & Gaboardi 2018, Thm 11). */
function drawnWithoutReplacement(loss: PldLoss, share: number): DominatingPair {
  const delta = pldProfile(loss.pairs);
  return profilePair(
    (epsilon) => share * delta(Math.log1p(Math.expm1(epsilon) / share)) * margin,
    `drawn(${share},${nameOf(loss)})`,
  );
}
