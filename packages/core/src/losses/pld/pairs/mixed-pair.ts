import { invalidParameter } from "../../../errors/lethe-error.ts";
import { nextUp } from "../../../numeric/directed.ts";
import type { DominatingPair, Tails } from "./dominating-pair.ts";

export interface MixedPart {
  readonly weight: number;
  readonly pair: DominatingPair;
}

/**
 * One of several mechanisms, drawn by public coins: the coin is part of the outcome, so the laws are the weighted unions.
 * Errors: parameter.invalid for an empty list, a weight that is not in [0, 1], or weights that do not sum to 1 (within 1e-12).
 * Source: union of outcomes, by the definition
 * Direction: exact
 */
export function mixedPair(parts: readonly MixedPart[]): DominatingPair {
  for (const { weight } of parts) {
    if (!(weight >= 0 && weight <= 1)) throw invalidParameter("weight", weight, "a number in [0, 1]");
  }
  const total = parts.reduce((sum, { weight }) => sum + weight, 0);
  if (!(Math.abs(total - 1) <= 1e-12)) throw invalidParameter("weights", total, "summing to 1");
  const used = parts.filter(({ weight }) => weight > 0);
  const [first, ...others] = used;
  if (first !== undefined && others.length === 0) return first.pair;
  const weighted = (of: (pair: DominatingPair) => number): number => {
    const sum = used.reduce((acc, { weight, pair }) => acc + weight * of(pair), 0);
    return sum === 0 ? 0 : Math.min(1, sum * (1 + 1e-14));
  };
  return {
    id: `mixed(${used.map(({ weight, pair }) => `${weight}:${pair.id}`).join(",")})`,
    tight: used.every(({ pair }) => pair.tight),
    symmetric: used.every(({ pair }) => pair.symmetric),
    discrete: used.every(({ pair }) => pair.discrete),
    maxLoss: Math.max(...used.map(({ pair }) => pair.maxLoss)),
    maxReverseLoss: Math.max(...used.map(({ pair }) => pair.maxReverseLoss)),
    infiniteP: weighted((pair) => pair.infiniteP),
    infiniteQ: weighted((pair) => pair.infiniteQ),
    anchors: used.flatMap(({ pair }) => pair.anchors).sort((a, b) => a - b),
    gaussian: null,
    emit: (cells, tail, sink) => {
      const tails = used.map(({ weight, pair }) => {
        const own = pair.emit(cells, tail, (cell, p, q) => sink(cell, weight * p, weight * q));
        return { weight, own };
      });
      const sum = (of: (own: Tails) => number): number => {
        const left = tails.reduce((acc, { weight, own }) => acc + weight * of(own), 0);
        return left === 0 ? 0 : nextUp(left * (1 + 1e-14));
      };
      return {
        pLow: sum((own) => own.pLow),
        qLow: sum((own) => own.qLow),
        pHigh: sum((own) => own.pHigh),
        qHigh: sum((own) => own.qHigh),
      };
    },
    group: (k) => {
      const groups = used.map(({ weight, pair }) => ({ weight, pair: pair.group(k) }));
      const known = groups.filter((part): part is MixedPart => part.pair !== null);
      return known.length === groups.length ? mixedPair(known) : null;
    },
  };
}
