import { type Rational, ratio, toText } from "@lethe/core";
import { elementAt, multiply } from "@lethe/core/numeric";
import {
  addWork,
  certainWork,
  eachStage,
  epsilonWithin,
  fittedLaw,
  largestTree,
  type Method,
  meanTree,
  type Parts,
  pairCells,
  passes,
  rest,
  type Stage,
  singleCells,
  split,
  stageOf,
  tablesWithin,
  targetOf,
  visitsOf,
} from "../plan/index.ts";
import { runMst } from "./run-mst.ts";

/** The shares of the total for single attributes, for the target's tables where there is one, and for choices. The tables of the tree get the rest. */
const [each, own, choices] = [ratio(25n, 100n), ratio(22n, 100n), ratio(3n, 100n)];

/** Measures every attribute, the target's table with each other one, and then the pairs of a tree of the others, which it chooses. */
export const mst: Method = {
  leastBytes: largestTree,
  stages(parts) {
    const { sizes, target } = parts;
    if (target === null) return [eachStage(parts, each), ...treeStages(parts, sizes.length - 1, [each])];
    // Of two attributes the one table is the target's.
    const whole = sizes.length === 2;
    const part = whole ? rest(parts, each) : multiply(parts.total, own);
    return [
      eachStage(parts, each),
      { kind: "measure-target", ...tablesWithin(part, sizes.length - 1, parts) },
      ...(whole ? [] : treeStages(parts, sizes.length - 2, [each, own])),
    ];
  },
  measure: (plan, source) => runMst(plan.stages, source, targetOf(plan)),
  work(plan) {
    const { target, sizes, stages } = plan;
    const { pairs, cells } = pairCells(plan, "others");
    const first = singleCells(plan) * (target === null ? 1 : elementAt(sizes, target));
    const choices = stageOf(stages, "choose-tree")?.choices ?? 0;
    const chosen = choices * pairs * visitsOf.candidate + visitsOf.scored * cells;
    const tables = visitsOf.table * sizes.length * (passes.first + passes.last);
    return addWork(certainWork(passes.first * first + chosen + tables), {
      expected: passes.last * Math.min(meanTree(plan), largestTree(plan) / 8),
      most: (passes.last * largestTree(plan)) / 8,
    });
  },
  drawing: ({ sizes }, rows) => certainWork(visitsOf.drawn * rows * sizes.length),
  law: fittedLaw,
};

function treeStages(parts: Parts, pairs: number, taken: readonly Rational[]): readonly Stage[] {
  const chosen = multiply(parts.total, choices);
  return [
    {
      ...{ kind: "choose-tree", choices: pairs },
      epsilon: toText(epsilonWithin(split(chosen, pairs), parts.measure)),
      part: toText(chosen),
    },
    { kind: "measure-chosen", ...tablesWithin(rest(parts, choices, ...taken), pairs, parts) },
  ];
}
