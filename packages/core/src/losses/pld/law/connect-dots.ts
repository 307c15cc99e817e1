import { addAt, doubleAt } from "../../../numeric/elements/element-at.ts";
import type { GridPlace, HalfBins } from "./cell-tally.ts";

/**
 * Masses on places that lose no less than the given half bins do: the mass of a bin goes to its two ends so that ∫dP and ∫e^{−L}dP
 * are kept (Doroshenko, Ghazi, Kamath, Kumar & Manurangsi 2022, "connect the dots"). Half bins 2i and 2i + 1 lie between the places i
 * and i + 1. The difference P − e^{ε}·Q may cancel: that moves a loss by a few ulp, never a mass (pld.proof.md, "The upper end").
 * Source: Doroshenko, Ghazi, Kamath, Kumar & Manurangsi 2022 (arXiv 2207.04380)
 * Direction: upper
 */
export function connectDots({ p, q, points, indices }: HalfBins, { pitch, offset }: GridPlace): Float64Array {
  const mass = points.slice();
  let [width, scale] = [0, 0];
  for (let i = 0; 2 * i < p.length; i++) {
    const total = doubleAt(p, 2 * i) + doubleAt(p, 2 * i + 1);
    if (!(total > 0)) continue;
    const pitches = doubleAt(indices, i + 1) - doubleAt(indices, i);
    if (pitches !== width) [width, scale] = [pitches, -1 / Math.expm1(-pitches * pitch)];
    const atFloor = Math.exp(offset + doubleAt(indices, i) * pitch);
    const above = (total - atFloor * (doubleAt(q, 2 * i) + doubleAt(q, 2 * i + 1))) * scale;
    const share = above > 0 ? (above < total ? above : total) : 0;
    addAt(mass, i, total - share);
    addAt(mass, i + 1, share);
  }
  return mass;
}
