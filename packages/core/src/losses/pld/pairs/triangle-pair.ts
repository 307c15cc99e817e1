import { invalidParameter } from "../../../errors/lethe-error.ts";
import { addAt, doubleAt, lastElement } from "../../../numeric/elements/element-at.ts";
import { ndtr } from "../../../numeric/special/index.ts";
import { atomsOf, discretePair } from "./discrete-pair.ts";
import type { DominatingPair } from "./dominating-pair.ts";

/** Gauss–Legendre on [0, 1] with six nodes: nodes and weights. */
const quadrature: readonly (readonly [number, number])[] = [
  [0.03376524289842399, 0.08566224618958516],
  [0.16939530676686776, 0.1803807865240693],
  [0.38069040695840156, 0.23395696728634552],
  [0.6193095930415985, 0.23395696728634552],
  [0.8306046932331322, 0.1803807865240693],
  [0.966234757101576, 0.08566224618958518],
];
const inverseSqrtTau = 0.3989422804014327;
const unit = Number.EPSILON / 2;
/** The distance in deviations beyond which the plane is one cell. */
const reach = 9;
const mostCells = 450;
/** Losses that differ by less, relatively, are merged. */
const leastRatio = 1e-3;
const leastLoss = 1e-9;

/**
 * (1 − rate)·N(0, I) + rate·N(u, I) against (1 − rate)·N(0, I) + rate·N(v, I) in the plane, with 0, u and v at distance `mu` of one another:
 * what a unit that is drawn with this rate, and another in its place, do to a sum of vectors where all others are as far from both as these from
 * each other. The plane is cut into cells, which tells less. Proof: ../../../amplification/subsampled-loss.proof.md
 * Errors: parameter.invalid unless 0 < mu ≤ 10 and 0 < rate < 1.
 * @example oneStep(trianglePair(1, 0.01)).delta(0)
 * Source: by its own proof
 * Direction: lower
 */
export function trianglePair(mu: number, rate: number): DominatingPair {
  if (!(mu > 0 && mu <= 10)) throw invalidParameter("mu", mu, "above 0 and at most 10");
  if (!(rate > 0 && rate < 1)) throw invalidParameter("rate", rate, "between 0 and 1");
  // u and v lie at equal heights along the first axis, and at opposite sides of it along the second.
  const [along, across] = [mu * Math.sqrt(0.75), mu / 2];
  const first = cut(-reach, along + reach);
  const second = cut(0, across + reach);
  const [far, near] = [cellMasses(first, along, "both"), cellMasses(first, 0, "both")];
  const none = cellMasses(second, 0, "above");
  const [toU, toV] = [cellMasses(second, across, "above"), cellMasses(second, -across, "above")];
  const bins = new Map<number, { p: number; q: number; count: number }>();
  let equal = 0;
  for (let i = 0; i < near.length; i++) {
    for (let j = 0; j < none.length; j++) {
      const shared = (1 - rate) * doubleAt(near, i) * doubleAt(none, j);
      const p = shared + rate * doubleAt(far, i) * doubleAt(toU, j);
      const q = shared + rate * doubleAt(far, i) * doubleAt(toV, j);
      const loss = Math.log1p((rate * doubleAt(far, i) * (doubleAt(toU, j) - doubleAt(toV, j))) / q);
      if (!(q > 1e-290 && loss > leastLoss)) {
        equal += Math.min(p, q);
        continue;
      }
      const key = Math.floor(Math.log(loss) / leastRatio);
      const bin = bins.get(key) ?? { p: 0, q: 0, count: 0 };
      bins.set(key, { p: bin.p + p, q: bin.q + q, count: bin.count + 1 });
    }
  }
  const most = Math.max(0, ...[...bins.values()].map(({ count }) => count));
  const error = (2 * most + 256) * unit;
  const kept = 1 - error;
  const positive = [...bins.values()]
    .map(({ p, q }) => ({ loss: Math.log(p / q), p: p * kept, q: q * kept }))
    .sort((a, b) => a.loss - b.loss);
  const rows = [
    ...positive.map(({ loss, p, q }) => ({ loss: -loss, p: q, q: p })).reverse(),
    { loss: 0, p: 2 * equal * kept, q: 2 * equal * kept },
    ...positive,
  ];
  const pair = discretePair({
    id: `triangle(${mu},${rate})`,
    tight: true,
    atoms: atomsOf(rows),
    infiniteP: 0,
    infiniteQ: 0,
    group: () => null,
  });
  return { ...pair, lossError: error };
}

/** Edges of equal cells. */
function cut(from: number, to: number): Float64Array {
  const count = Math.min(mostCells, Math.ceil((to - from) / 0.04));
  return Float64Array.from({ length: count + 1 }, (_, i) => from + ((to - from) * i) / count);
}

/** Returns the mass of N(mean, 1) in each cell. The last cell has no end, and neither has the first where `open` is "both". */
function cellMasses(edges: Float64Array, mean: number, open: "both" | "above"): Float64Array {
  const masses = new Float64Array(edges.length - 1);
  for (let i = 0; i < masses.length; i++) {
    const [from, to] = [doubleAt(edges, i) - mean, doubleAt(edges, i + 1) - mean];
    for (const [node, weight] of quadrature) {
      const x = from + node * (to - from);
      addAt(masses, i, weight * (to - from) * inverseSqrtTau * Math.exp(-0.5 * x * x));
    }
  }
  if (open === "both") addAt(masses, 0, ndtr(doubleAt(edges, 0) - mean));
  addAt(masses, masses.length - 1, ndtr(mean - lastElement(edges)));
  return masses;
}
