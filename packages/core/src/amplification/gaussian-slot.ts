import { addAt, doubleAt } from "../numeric/elements/element-at.ts";
import { ndtr } from "../numeric/special/index.ts";
import { type RatioKind, type RatioLaw, underflow } from "./ratio-law.ts";

/** Gauss–Legendre on [0, 1] with six nodes: nodes and weights. */
const quadrature: readonly (readonly [number, number])[] = [
  [0.03376524289842399, 0.08566224618958516],
  [0.16939530676686776, 0.1803807865240693],
  [0.38069040695840156, 0.23395696728634552],
  [0.6193095930415985, 0.23395696728634552],
  [0.8306046932331322, 0.1803807865240693],
  [0.966234757101576, 0.08566224618958516],
];

/** In one cell a density may change by a factor of e to this at most, for the quadrature to be exact. */
const steepest = 1.2;
/** Beyond it a density of N(0, 1) is no double. */
const farthest = 39;
const inverseRoot = 0.3989422804014327;

/**
 * One slot: R = exp(μx − μ²/2) for x ~ N(0, 1), the ratio of N(μ, 1) to N(0, 1), on so many nodes evenly spaced in x, or more, and 0.
 * All but `tail` of Q's mass below and of P's mass above is cut into cells; a cell's masses come from a quadrature
 * whose terms are all positive, exact to 14 digits for cells as narrow as these. Proof: ./random-allocation.proof.md
 * Source: Chua et al. 2025 (arXiv 2412.16802), Thm 3, one slot.
 * Direction: upper.
 */
export function gaussianSlot(mu: number, kind: RatioKind, asked: number, tail: number): RatioLaw {
  const reach = Math.sqrt(-2 * Math.log(tail));
  const [from, to] = [-reach, mu + reach];
  const far = Math.max(reach, Math.min(to, farthest));
  const size = Math.max(asked, Math.ceil(((to - from) * far) / steepest) + 1);
  const at = (i: number): number => from + ((to - from) * i) / (size - 1);
  const nodes = new Float64Array(size + 1);
  const q = new Float64Array(size + 1);
  const centroid = new Float64Array(size + 1);
  for (let i = 0; i < size; i += 1) nodes[i + 1] = ratioAt(at(i), mu);
  for (let i = 0; i + 1 < size; i += 1) {
    const [x, width] = [at(i), at(i + 1) - at(i)];
    const rise = Math.expm1(mu * width);
    let [mass, moved] = [0, 0];
    for (const [node, weight] of quadrature) {
      const y = x + node * width;
      const density = weight * width * inverseRoot * Math.exp(-0.5 * y * y);
      mass += density;
      moved += density * (Math.expm1(mu * node * width) / rise);
    }
    if (kind === "dominating") {
      addAt(q, i + 1, mass - moved);
      addAt(q, i + 2, moved);
    } else {
      q[i + 1] = mass;
      centroid[i + 1] = doubleAt(nodes, i + 1) * (1 + (rise * moved) / mass);
    }
  }
  const [lowQ, lowP] = [ndtr(from), ndtr(from - mu)];
  const [highQ, highP] = [ndtr(-to), ndtr(mu - to)];
  const error = relativeError + far * far * 2 ** -52;
  if (kind === "dominating") {
    const upper = Math.min(lowQ, lowP / doubleAt(nodes, 1));
    addAt(q, 1, upper);
    addAt(q, 0, lowQ - upper);
    addAt(q, size, highQ);
    const infiniteP = highP * (1 + 1e-12) + underflow(8 * size, doubleAt(nodes, size));
    return { slots: 1, nodes, q, infiniteP, error, ratioError };
  }
  q[0] = lowQ;
  centroid[0] = lowP / lowQ;
  q[size] = highQ;
  centroid[size] = highP / highQ;
  return { slots: 1, nodes: centroid, q, infiniteP: 0, error, ratioError: error };
}

/** The relative error of the masses, from the quadrature and the tails; that of a density at y is besides y² times a unit or so of its exponent. */
const relativeError = 1e-13;
/** The relative error of the nodes: Math.exp errs by at most one unit in the last place, and a weight's rounding is a small part of a step. */
const ratioError = 4 * 2 ** -53;

/** e^(μ(x − μ/2)) with the exponent in two doubles, so that its rounding is not magnified. */
function ratioAt(x: number, mu: number): number {
  const shift = -mu / 2;
  const d = x + shift;
  const virtual = d - x;
  const dRest = x - (d - virtual) + (shift - virtual);
  const product = mu * d;
  const [a, aRest] = halves(mu);
  const [b, bRest] = halves(d);
  const productRest = a * b - product + a * bRest + aRest * b + aRest * bRest;
  return Math.exp(product) * (1 + (productRest + mu * dRest));
}

/** x as two numbers of at most 26 bits (Veltkamp). */
function halves(x: number): readonly [number, number] {
  const scaled = 134217729 * x;
  const high = scaled - (scaled - x);
  return [high, x - high];
}
