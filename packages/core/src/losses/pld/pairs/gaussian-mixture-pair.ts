import { invalidParameter } from "../../../errors/lethe-error.ts";
import { nextUp } from "../../../numeric/directed.ts";
import { doubleAt } from "../../../numeric/elements/element-at.ts";
import type { AtomSink, DominatingPair, LossCells, Tails } from "./dominating-pair.ts";
import { crossingOf, GaussianMixture } from "./gaussian-mixture.ts";
import { largestMove, leastWeight, type Move } from "./gaussian-moves.ts";
import { gaussianPair } from "./gaussian-pair.ts";
import { quadratureRule } from "./quadrature.ts";
import { twoPointPair } from "./two-point-pair.ts";

const inverseSqrtTau = 0.3989422804014327;
const unit = Number.EPSILON / 2;

export interface MixtureOptions {
  /** False where the moves are bounds alone. */
  readonly tight?: boolean;
  readonly apart?: (added: number, removed: number) => DominatingPair | null;
  readonly group?: (k: number) => DominatingPair | null;
}

/**
 * Σ weight·N(move, 1) over `forward` against Σ weight·N(−move, 1) over `backward`. It dominates every two mixtures of Gaussian vectors whose
 * means lie within those moves of one common point, forward on one side, backward on the other. Proof: ./gaussian-mixture.proof.md
 * Errors: parameter.invalid for a move that is not ≥ 0, a weight outside [0, 1], weights that do not sum to 1 (within 1e-12).
 * Source: by its own proof, from the Neyman–Pearson lemma
 * Direction: exact
 */
export function gaussianMixturePair(
  forward: readonly Move[],
  backward: readonly Move[],
  options: MixtureOptions = {},
): DominatingPair {
  const { tight = true, apart, group = () => null } = options;
  const [up, down] = [told(forward), told(backward)];
  const own = apart === undefined ? { group } : { group, apart };
  const id = `mixture(${nameOf(forward)}|${nameOf(backward)},${tight})`;
  // One move a side is one Gaussian, and no move is no loss.
  const [[one, ...others], [back, ...othersBack]] = [forward, backward];
  if (one !== undefined && back !== undefined && others.length + othersBack.length === 0) {
    const mu = one.move + back.move;
    const whole = gaussianPair(Math.min(1000, mu));
    return tight ? { ...whole, ...own } : { ...whole, ...own, id, tight, gaussian: null };
  }
  if (up.largest === 0 && down.largest === 0 && up.lost + down.lost === 0) {
    return { ...twoPointPair(0, 0, tight), ...own };
  }
  return {
    id,
    tight: tight && up.lost === 0 && down.lost === 0,
    symmetric: nameOf(forward) === nameOf(backward),
    discrete: false,
    maxLoss: endOf(up, down),
    maxReverseLoss: endOf(down, up),
    infiniteP: 0,
    infiniteQ: 0,
    anchors: [],
    gaussian: null,
    lossError: lossErrorOf(up, down),
    emit: (cells, tail, sink) => emitMixture(up, down, cells, tail, sink),
    ...own,
  };
}

/** The moves that an emission tells, in order, and the weight of those that it counts as told in full. */
interface Told {
  readonly moves: readonly Move[];
  readonly largest: number;
  readonly lost: number;
}

function told(moves: readonly Move[]): Told {
  const sums = new Map<number, number>();
  let total = 0;
  for (const { weight, move } of moves) {
    if (!(move >= 0)) throw invalidParameter("move", move, "a number ≥ 0");
    if (!(weight >= 0 && weight <= 1 + 1e-12)) throw invalidParameter("weight", weight, "a number in [0, 1]");
    total += weight;
    if (weight > 0) sums.set(move, (sums.get(move) ?? 0) + weight);
  }
  if (!(Math.abs(total - 1) <= 1e-12)) throw invalidParameter("weights", total, "summing to 1");
  const all = [...sums].map(([move, weight]) => ({ move, weight })).sort((a, b) => a.move - b.move);
  const kept = all.filter(({ weight, move }) => weight >= leastWeight && move <= largestMove);
  let lost = 0;
  for (const { weight, move } of all) {
    if (!(weight >= leastWeight && move <= largestMove)) lost = nextUp(lost + weight);
  }
  return { moves: kept, largest: kept.at(-1)?.move ?? 0, lost };
}

function nameOf(moves: readonly Move[]): string {
  return moves.map(({ weight, move }) => `${weight}·${move}`).join("+");
}

/** The loss far to the right: unbounded where some move leads there, else what the weights of staying say. */
function endOf(up: Told, down: Told): number {
  if (up.largest > 0 || up.lost > 0) return Number.POSITIVE_INFINITY;
  const staying = down.moves.find(({ move }) => move === 0)?.weight ?? 0;
  if (staying === 0) return Number.POSITIVE_INFINITY;
  const loss = -Math.log(staying);
  return Math.max(0, nextUp(nextUp(loss * (1 + 8 * unit))) + 8 * unit);
}

/**
 * Returns the error of a loss beyond 32u·(1 + |L|). Exponents m·(x − m/2) are right to 3u of themselves, and where the loss is small they are at
 * most the logarithms of the weights and m²/2; a weight is right to a few u for each factor in it.
 */
function lossErrorOf(up: Told, down: Told): number {
  const of = ({ moves, largest }: Told): number => {
    const rarest = Math.min(...moves.map(({ weight }) => weight), 1);
    return 6 * (1 - Math.log(rarest)) + 3 * largest * largest + 8 * moves.length;
  };
  return unit * (of(up) + of(down));
}

function emitMixture(up: Told, down: Told, cells: LossCells, tail: number, sink: AtomSink): Tails {
  if (up.moves.length === 0 || down.moves.length === 0) return { pLow: 0, qLow: 1, pHigh: 1, qHigh: 0 };
  const mixture = new GaussianMixture(up.moves, down.moves);
  // Q(z) ≤ e^{−z²/2}/2.
  const reach = Math.sqrt(-2 * Math.log(Math.max(tail, 1e-300)));
  const last = up.largest + reach;
  let left = -down.largest - reach;
  let cell = cells.cell(mixture.at(left).loss);
  while (left < last) {
    const edge = crossingOf(mixture, cells.edge(cell + 1), left, last);
    while (left < edge) {
      const distance = Math.max(Math.abs(left - up.largest), Math.abs(left + down.largest));
      const right = Math.min(edge, left + 1 / (4 + distance));
      const width = right - left;
      const rule = quadratureRule((distance + 5) * width);
      let [p, q] = [0, 0];
      for (let i = 0; i < rule.length; i += 2) {
        const { loss, larger } = mixture.at(left + width * doubleAt(rule, i + 1));
        const more = doubleAt(rule, i) * larger;
        const less = more * Math.exp(-Math.abs(loss));
        p += loss > 0 ? more : less;
        q += loss > 0 ? less : more;
      }
      // Far from one law its density is no double; what the other has there is told in full, and counts.
      if (p > 0 || q > 0) sink(cell, inverseSqrtTau * width * p, inverseSqrtTau * width * q);
      left = right;
    }
    cell++;
  }
  const beyond = 0.5 * Math.exp(-0.5 * reach * reach) * (1 + 1e-9);
  return { pLow: beyond, qLow: beyond + down.lost, pHigh: beyond + up.lost, qHigh: beyond };
}
