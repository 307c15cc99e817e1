import { invalidParameter } from "../../../errors/lethe-error.ts";
import { nextUp } from "../../../numeric/directed.ts";
import { doubleAt } from "../../../numeric/elements/element-at.ts";
import type { AtomSink, DominatingPair, LossCells, Tails } from "./dominating-pair.ts";
import { noTails } from "./dominating-pair.ts";
import { quadratureRule } from "./quadrature.ts";

/**
 * Real Laplace noise on one number, ε = sensitivity/scale. The loss is ε with mass ½, −ε with mass e^{−ε}/2, and between them has
 * the density e^{(L−ε)/2}/4 under P. Errors: parameter.invalid unless 0 ≤ ε ≤ 600.
 * Source: Dwork, McSherry, Nissim & Smith 2006
 * Direction: exact
 */
export function laplacePair(epsilon: number): DominatingPair {
  if (!(epsilon >= 0 && epsilon <= 600)) throw invalidParameter("epsilon", epsilon, "a number in [0, 600]");
  const bound = epsilon === 0 ? 0 : nextUp(epsilon);
  return {
    id: `laplace(${epsilon})`,
    tight: true,
    symmetric: true,
    discrete: epsilon === 0,
    maxLoss: bound,
    maxReverseLoss: bound,
    infiniteP: 0,
    infiniteQ: 0,
    anchors: epsilon === 0 ? [] : [-epsilon, epsilon],
    gaussian: null,
    emit: (cells, _tail, sink) => emitLaplace(epsilon, cells, sink),
    group: (k) => (bound * k < 600 ? laplacePair(bound === 0 ? 0 : nextUp(epsilon * k)) : null),
  };
}

function emitLaplace(epsilon: number, cells: LossCells, sink: AtomSink): Tails {
  if (epsilon === 0) {
    sink(cells.atom(0), 1, 1);
    return noTails;
  }
  let cell = cells.cell(-epsilon);
  sink(cells.atom(-epsilon), 0.5 * Math.exp(-epsilon), 0.5);
  let left = -epsilon;
  while (left < epsilon) {
    const edge = Math.min(epsilon, cells.edge(cell + 1));
    while (left < edge) {
      const right = Math.min(edge, left + 0.5);
      const width = right - left;
      const rule = quadratureRule(width);
      let [p, q] = [0, 0];
      for (let i = 0; i < rule.length; i += 2) {
        const loss = left + width * doubleAt(rule, i + 1);
        const mass = doubleAt(rule, i) * Math.exp(0.5 * (loss - epsilon));
        p += mass;
        q += mass * Math.exp(-loss);
      }
      sink(cell, 0.25 * width * p, 0.25 * width * q);
      left = right;
    }
    cell++;
  }
  sink(cells.atom(epsilon), 0.5, 0.5 * Math.exp(-epsilon));
  return noTails;
}
