import { invalidParameter } from "../../../errors/lethe-error.ts";
import { doubleAt } from "../../../numeric/elements/element-at.ts";
import type { AtomSink, DominatingPair, LossCells, Tails } from "./dominating-pair.ts";
import { noTails } from "./dominating-pair.ts";
import { quadratureRule } from "./quadrature.ts";

const inverseSqrtTau = 0.3989422804014327;

/**
 * N(μ, 1) against N(0, 1): real Gaussian noise with μ = Δ₂/σ. The loss is μ·x − μ²/2.
 * Errors: parameter.invalid unless 0 ≤ μ ≤ 1000.
 * Source: Balle & Wang 2018 (arXiv 1805.06530), Sec. 3
 * Direction: exact
 */
export function gaussianPair(mu: number): DominatingPair {
  if (!(mu >= 0 && mu <= 1000)) throw invalidParameter("mu", mu, "a number in [0, 1000]");
  return {
    id: `gaussian(${mu})`,
    tight: true,
    symmetric: true,
    discrete: mu === 0,
    maxLoss: mu === 0 ? 0 : Number.POSITIVE_INFINITY,
    maxReverseLoss: mu === 0 ? 0 : Number.POSITIVE_INFINITY,
    infiniteP: 0,
    infiniteQ: 0,
    anchors: [],
    gaussian: mu,
    gaussianAtMost: mu,
    emit: (cells, tail, sink) => emitGaussian(mu, cells, tail, sink),
    group: (k) => (mu * k <= 1000 ? gaussianPair(mu * k) : null),
  };
}

function emitGaussian(mu: number, cells: LossCells, tail: number, sink: AtomSink): Tails {
  if (mu === 0) {
    sink(cells.atom(0), 1, 1);
    return noTails;
  }
  // Losses are about μ²/2 ± μ, in one step beyond what is told apart from ∞.
  if (mu > 50) return { pLow: 0, qLow: 1, pHigh: 1, qHigh: 0 };
  // Q(z) ≤ e^{−z²/2}/2.
  const reach = Math.sqrt(-2 * Math.log(Math.max(tail, 1e-300)));
  const last = mu + reach;
  let left = -reach;
  let cell = cells.cell(mu * left - 0.5 * mu * mu);
  while (left < last) {
    const edge = Math.min(last, (cells.edge(cell + 1) + 0.5 * mu * mu) / mu);
    while (left < edge) {
      const distance = Math.max(Math.abs(left), Math.abs(left - mu));
      const right = Math.min(edge, left + 1 / (4 + distance));
      const width = right - left;
      const rule = quadratureRule((distance + 5) * width);
      let [p, q] = [0, 0];
      for (let i = 0; i < rule.length; i += 2) {
        const x = left + width * doubleAt(rule, i + 1);
        const loss = mu * (x - 0.5 * mu);
        // The larger density from its exponent, the smaller from the larger: their ratio is e^L to a few ulp.
        const nearest = loss > 0 ? x - mu : x;
        const more = doubleAt(rule, i) * Math.exp(-0.5 * nearest * nearest);
        const less = more * Math.exp(-Math.abs(loss));
        p += loss > 0 ? more : less;
        q += loss > 0 ? less : more;
      }
      sink(cell, inverseSqrtTau * width * p, inverseSqrtTau * width * q);
      left = right;
    }
    cell++;
  }
  const beyond = 0.5 * Math.exp(-0.5 * reach * reach) * (1 + 1e-9);
  return { pLow: beyond, qLow: beyond, pHigh: beyond, qHigh: beyond };
}
