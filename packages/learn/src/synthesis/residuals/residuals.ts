import { ratio } from "@lethe/core";
import {
  addWork,
  allPairs,
  certainWork,
  eachStage,
  largestTree,
  type Method,
  meanTree,
  pairCells,
  passes,
  rest,
  singleCells,
  tablesWithin,
  visitsOf,
} from "../plan/index.ts";
import { graphicalLaw } from "../sampling/index.ts";
import { residualModel, runResiduals } from "./run-residuals.ts";

/** The share of the total for single attributes. The tables of pairs get the rest. */
const each = ratio(20n, 100n);

/** Measures every attribute and all pairs, and reconstructs each pair from all that overlap it. */
export const residuals: Method = {
  leastBytes: allPairs,
  stages(parts) {
    const pairs = (parts.sizes.length * (parts.sizes.length - 1)) / 2;
    return [
      eachStage(parts, each),
      { kind: "measure-pairs", ...tablesWithin(rest(parts, each), pairs, parts) },
    ];
  },
  measure: ({ stages }, source) => runResiduals(stages, source),
  work(plan) {
    const tree = plan.sizes.length === 1 ? singleCells(plan) : largestTree(plan) / 8;
    const { cells, pairs } = pairCells(plan);
    const tables = visitsOf.table * plan.sizes.length * passes.last + visitsOf.measured * pairs;
    return addWork(certainWork(2 * cells + tables), {
      expected: passes.last * Math.min(meanTree(plan), tree),
      most: passes.last * tree,
    });
  },
  drawing: ({ sizes }, rows) => certainWork(visitsOf.drawn * rows * sizes.length),
  law: ({ merged, measurements }, target) =>
    graphicalLaw(residualModel({ sizes: merged.map(({ size }) => size), target }, measurements)),
};
