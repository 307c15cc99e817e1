import type { Noise } from "../../mechanisms/noise.ts";
import type { CellTree } from "../../mechanisms/quantile-tree/noisy-cells.ts";
import { shareNoise, type WeightClass } from "../../mechanisms/quantile-tree/share-noise.ts";
import { ndtri } from "../../numeric/special/ndtri.ts";
import {
  type LaplaceTerm,
  laplaceCombinationBound,
  laplaceCombinationQuantile,
} from "../laws/laplace-combination.ts";
import type { NoiseFamily, NoiseLaw } from "../laws/noise-law.ts";
import { noiseLaw } from "../laws/noise-laws.ts";

/** Bounds on the noise in (rows before a boundary) − share·(all rows), as estimated from noisy cells. */
export interface ShareErrorBound {
  /** Whether x lies beyond the reach at a boundary, which the noise exceeds in one direction with probability ≤ alpha. */
  isBeyond(boundary: number, x: number): boolean;
  at(boundary: number): number;
}

/**
 * A reach for each level of the tree, whose alphas sum to `alpha`: for the boundaries between its nodes, the root's children
 * first, the cells last. Equal parts: which level decides depends on how densely the rows lie, where many do the cells, where
 * few do nodes that are worth many of them.
 */
export function levelReaches(
  tree: CellTree,
  noise: Noise,
  share: number,
  alpha: number,
): readonly ShareErrorBound[] {
  return Array.from({ length: tree.height }, () => shareErrorBound(tree, noise, share, alpha / tree.height));
}

/**
 * The reach at every boundary, found when it is asked for: exact but for the noises' rounding, which is a part in 10⁴ where a
 * row counts for many integers.
 * Source: the law of the weighted sum of the noises that are drawn.
 * Direction: upper.
 */
export function shareErrorBound(tree: CellTree, noise: Noise, share: number, alpha: number): ShareErrorBound {
  const law = noiseLaw(noise);
  const bounds = new Map<number, number>();
  const reaches = new Map<number, number>();
  const { bound, quantile } = families[law.family];
  const known = (values: Map<number, number>, of: typeof quantile, boundary: number): number => {
    const found = values.get(boundary);
    if (found !== undefined) return found;
    const value = of(law, shareNoise(tree, boundary, share), alpha);
    values.set(boundary, value);
    return value;
  };
  return {
    isBeyond(boundary, x) {
      if (!(x > 0)) return false;
      return x > known(bounds, bound, boundary) || x > known(reaches, quantile, boundary);
    },
    at: (boundary) => known(reaches, quantile, boundary),
  };
}

const sum = (classes: readonly WeightClass[], of: (weight: number) => number): number =>
  classes.reduce((total, { weight, count }) => total + count * of(weight), 0);

/** Returns how far the integer noises may lie from their continuous laws, and the part of alpha that is left: a coupling fails with chance 1e-9 a noise. */
function coupled({ coupling }: NoiseLaw, classes: readonly WeightClass[], alpha: number) {
  return { rounding: coupling * sum(classes, Math.abs), left: alpha - 1e-9 * sum(classes, () => 1) };
}

const laplaceTerms = ({ scale }: NoiseLaw, classes: readonly WeightClass[]): readonly LaplaceTerm[] =>
  classes.map(({ weight, count }) => ({ scale: Math.abs(weight) * scale, count }));

/** Bounds on |Σ weightᵢ·Zᵢ| by the family of the noise's law. */
interface FamilyBounds {
  /** Quick; beyond it, x is beyond the reach. */
  bound(law: NoiseLaw, classes: readonly WeightClass[], alpha: number): number;
  quantile(law: NoiseLaw, classes: readonly WeightClass[], alpha: number): number;
}

const gaussianQuantile: FamilyBounds["quantile"] = (law, classes, alpha) => {
  const { rounding, left } = coupled(law, classes, alpha);
  if (!(left > 0)) return Number.POSITIVE_INFINITY;
  const spread = law.scale * Math.sqrt(sum(classes, (weight) => weight * weight));
  return rounding + Math.max(0, -ndtri(left)) * spread * (1 + 1e-12);
};

/** Returns a bound on Laplace noises and their roundings, by a bound on the continuous ones. */
function ofLaplace(bound: typeof laplaceCombinationQuantile): FamilyBounds["quantile"] {
  return (law, classes, alpha) => {
    const { rounding, left } = coupled(law, classes, alpha);
    if (!(left > 0)) return Number.POSITIVE_INFINITY;
    return rounding + bound(laplaceTerms(law, classes), left);
  };
}

const families: { readonly [F in NoiseFamily]: FamilyBounds } = {
  none: { bound: () => 0, quantile: () => 0 },
  laplace: { bound: ofLaplace(laplaceCombinationBound), quantile: ofLaplace(laplaceCombinationQuantile) },
  gaussian: { bound: gaussianQuantile, quantile: gaussianQuantile },
};
