import { invalidParameter } from "../../../errors/lethe-error.ts";
import { gaussianRenyi } from "./gaussian-renyi.ts";
import { checkOrder, type RenyiCurve, roundedUp } from "./renyi-curve.ts";

/** Larger groups are bounded block by block, each block by its largest order. */
const blocks = 512;

/**
 * The same mechanism seen by a group of k units:
 *   D_α(group) ≤ kα·Σ_{m=0}^{k−1} D_{kα−m}/(kα − m).
 * Along a chain of k neighbours, Hölder's inequality D_α(P‖Q) ≤ jα/(jα−1)·D_{(jα−1)/(j−1)}(P‖R) + D_{jα}(R‖Q) is used for j = k, k−1, …, 2; the
 * orders that occur are kα, kα − 1, …, and the factors telescope. For ρ-zCDP this is k²ρ; it is never above Mironov's 3^c at 2^c units.
 * Source: Bun & Steinke 2016, Lemma 5.2 and Prop. 1.9; Mironov 2017, Prop. 2.
 * Direction: upper
 * Errors: parameter.invalid unless k ≥ 1.
 * @example groupRenyi(zcdpRenyi(0.5), 3n).at(2) // => 9
 */
export function groupRenyi(curve: RenyiCurve, size: bigint): RenyiCurve {
  if (!(size >= 1n)) throw invalidParameter("size", size, "≥ 1");
  if (size === 1n) return curve;
  const k = Number(size);
  if (curve.muSquared !== undefined) return gaussianRenyi(roundedUp(curve.muSquared * k * k, 1e-14));
  const maxLoss = curve.maxLoss === undefined ? undefined : roundedUp(curve.maxLoss * k, 1e-14);
  return {
    id: `group(${size}, ${curve.id})`,
    tight: false,
    ...(maxLoss === undefined ? {} : { maxLoss }),
    at(order) {
      checkOrder(order);
      const bound = maxLoss ?? Number.POSITIVE_INFINITY;
      const top = k * order;
      if (!(top < Number.POSITIVE_INFINITY)) return bound;
      let sum = 0;
      for (let block = 0; block < Math.min(k, blocks); block++) {
        const from = Math.floor((block * k) / Math.min(k, blocks));
        const to = Math.floor(((block + 1) * k) / Math.min(k, blocks));
        const each = curve.at(Math.max(top - from, order));
        if (each > 0) sum += each * inverseSum(top, from, to);
      }
      return Math.min(bound, roundedUp(sum * top));
    },
  };
}

/** Σ_{m=from}^{to−1} 1/(top − m), or the integral above it. */
function inverseSum(top: number, from: number, to: number): number {
  if (to - from === 1) return 1 / (top - from);
  // Each term is at most ∫ dx/x over (top − m − 1, top − m].
  return Math.log1p((to - from) / (top - to));
}
