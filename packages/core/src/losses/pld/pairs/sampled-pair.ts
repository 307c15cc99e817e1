import { invalidParameter } from "../../../errors/lethe-error.ts";
import { nextDown, nextUp } from "../../../numeric/directed.ts";
import type { AtomSink, DominatingPair, LossCells, Tails } from "./dominating-pair.ts";
import { sampledApart } from "./sampled-gaussian-pair.ts";
import { twoPointPair } from "./two-point-pair.ts";

/**
 * The mechanism on a sample that takes each unit independently with probability `rate`, add-or-remove-one: with (P, Q) for the
 * mechanism, ((1 − s)·Q + s·P, Q) for the sample and its mirror for the reverse (Zhu, Dong & Wang 2022, Thm 11). A loss L becomes
 * ln(1 + s·(e^L − 1)), never below ln(1 − s). `keep` is 1 − s where that is known better than the difference of doubles: near s = 1 all
 * losses of the reverse depend on it. Errors: parameter.invalid unless 0 ≤ rate ≤ 1 and keep is 1 − rate within an ulp of 1.
 * Source: Zhu, Dong & Wang 2022 (arXiv 2106.08567), Thm 11
 * Direction: exact
 */
export function sampledPair(pair: DominatingPair, rate: number, keep: number = 1 - rate): DominatingPair {
  if (!(rate >= 0 && rate <= 1)) throw invalidParameter("rate", rate, "a number in [0, 1]");
  if (!(keep >= 0 && Math.abs(1 - rate - keep) <= Number.EPSILON)) {
    throw invalidParameter("keep", keep, "1 − rate");
  }
  if (keep === 0) return pair;
  if (rate === 0) return twoPointPair(0, 0, pair.tight);
  const floor = keep < 0.5 ? Math.log(keep) : Math.log1p(-rate);
  const lossOf = (loss: number): number => sampledLoss(loss, rate, keep);
  const up = (x: number): number => (x > 0 ? nextUp(nextUp(nextUp(x))) : x);
  const sampled: DominatingPair = {
    id: `sampled(${rate},${keep},${pair.id})`,
    tight: pair.tight,
    symmetric: false,
    discrete: pair.discrete,
    maxLoss: pair.maxLoss === Number.POSITIVE_INFINITY ? pair.maxLoss : up(lossOf(pair.maxLoss)),
    maxReverseLoss: up(-(pair.infiniteQ > 0 ? floor : lossOf(-pair.maxReverseLoss))),
    infiniteP: nextUp(rate * pair.infiniteP),
    infiniteQ: 0,
    anchors: pair.anchors.map(lossOf),
    gaussian: null,
    emit: (cells, tail, sink) => {
      const inner: AtomSink = (cell, p, q) => {
        sink(cell, keep * q + rate * p, q);
      };
      if (pair.infiniteQ > 0) sink(cells.atom(floor), keep * pair.infiniteQ, pair.infiniteQ);
      return sampledTails(pair.emit(sampledCells(cells, rate, keep, floor), tail, inner), rate, keep);
    },
    group: () => null,
    apart: (added, removed) => sampledApart(pair, { rate, keep, added, removed }),
  };
  if (pair.infiniteP === 0) return { ...sampled, infiniteP: 0, group: (k) => pureGroup(sampled, k) };
  return sampled;
}

function pureGroup(pair: DominatingPair, k: number): DominatingPair | null {
  const epsilon = nextUp(Math.max(pair.maxLoss, pair.maxReverseLoss) * k);
  return epsilon <= 600 ? twoPointPair(epsilon, 0, false) : null;
}

/** ln(1 − s + s·e^L) without cancellation. */
function sampledLoss(loss: number, rate: number, keep: number): number {
  if (loss < 700) {
    const change = rate * Math.expm1(loss);
    return change > -0.5 ? Math.log1p(change) : Math.log(keep + rate * Math.exp(loss));
  }
  const shifted = loss + Math.log(rate);
  return shifted + Math.log1p(keep * Math.exp(-shifted));
}

/** The same cells seen through the inverse of the loss's transformation, L = ln(1 + (e^{L′} − 1)/s). */
function sampledCells(cells: LossCells, rate: number, keep: number, floor: number): LossCells {
  const lowest = nextDown(floor);
  return {
    edge: (k) => {
      const loss = cells.edge(k);
      if (loss <= lowest) return Number.NEGATIVE_INFINITY;
      if (loss > 700) return loss - Math.log(rate);
      const change = Math.expm1(loss) / rate;
      if (change > -0.5) return Math.log1p(change);
      const inner = (Math.exp(loss) - keep) / rate;
      return inner <= 0 ? Number.NEGATIVE_INFINITY : Math.log(inner);
    },
    cell: (loss) => cells.cell(sampledLoss(loss, rate, keep)),
    atom: (loss) => cells.atom(sampledLoss(loss, rate, keep)),
  };
}

function sampledTails(tails: Tails, rate: number, keep: number): Tails {
  const blend = (p: number, q: number): number => nextUp(nextUp(rate * p + keep * q));
  return {
    pLow: tails.qLow === 0 && tails.pLow === 0 ? 0 : blend(tails.pLow, tails.qLow),
    qLow: tails.qLow,
    pHigh: tails.qHigh === 0 && tails.pHigh === 0 ? 0 : blend(tails.pHigh, tails.qHigh),
    qHigh: tails.qHigh,
  };
}
