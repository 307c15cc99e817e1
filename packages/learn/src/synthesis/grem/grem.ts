import { invalidParameter, ratio, toDouble, toText } from "@lethe/core";
import { tableSensitivity } from "@lethe/core/mechanisms";
import { multiply } from "@lethe/core/numeric";
import {
  addWork,
  allPairs,
  certainWork,
  eachStage,
  type Method,
  pairCells,
  rest,
  roundWithin,
  type Stage,
  split,
  stageOf,
  tablesWithin,
  targetOf,
  visitsOf,
} from "../plan/index.ts";
import { gremLaw, rowPasses, tablePasses } from "./grem-law.ts";
import { runGrem } from "./run-grem.ts";

/** The shares of the total for single attributes, and for the target's pairs where there is one; that of a round for its choice. */
const [each, own, choices] = [ratio(25n, 100n), ratio(15n, 100n), ratio(15n, 100n)];

/** Rounds for each attribute, were the noise never lowered. */
const roundsForEach = 16;

/** The noise of a residual, and of a contrast of one, in doubles. */
const [mostSigma, mostNoise] = [2 ** 40, 2 ** 48];

/** Measures residuals of the pairs that it knows worst, round by round, and reconstructs tables from them: no model of the joint, so that a table may be wide. */
export const grem: Method = {
  leastBytes: allPairs,
  stages(parts) {
    const { sizes, target } = parts;
    const rounds = roundsForEach * sizes.length;
    const pairs =
      target === null
        ? []
        : [
            {
              kind: "measure-target",
              ...tablesWithin(multiply(parts.total, own), sizes.length - 1, parts),
            } as const,
          ];
    const part = rest(parts, each, ...(target === null ? [] : [own]));
    const { sigma, epsilon } = roundWithin(split(part, rounds), choices, parts);
    const [largest = 1, next = 1] = sizes.toSorted((a, b) => b - a);
    const noise = toDouble(sigma, "up");
    if (noise * Math.sqrt(8) > mostSigma || noise * largest * next > mostNoise)
      throw invalidParameter("budget", toText(parts.total), "large enough for residuals of such columns");
    return [
      eachStage(parts, each),
      ...pairs,
      {
        ...{ kind: "residual-rounds", rounds, part: toText(part) },
        ...{ sigma: toText(sigma), epsilon: toText(epsilon) },
      },
    ];
  },
  measure(plan, source, progress) {
    const { stages, session } = plan;
    const { measure, adjacency, rowsPerUnit } = session;
    const { l2Squared } = tableSensitivity(adjacency, rowsPerUnit);
    return runGrem(stages, source, {
      ...{ measure, adjacency, rowsPerUnit, l2Squared, choices, target: targetOf(plan) },
      ...(progress ? { progress } : {}),
    });
  },
  work(plan) {
    const { pairs, cells, mean } = pairCells(plan);
    const { usual, most } = roundsOf(plan);
    // Where a round's noise is lowered every distance from an estimate is counted anew: a few times.
    const scored = 5 * visitsOf.scored * cells;
    return addWork(certainWork(scored), {
      expected: usual * pairs * visitsOf.candidate + 60 * Math.min(pairs, usual) * mean,
      most: most * pairs * visitsOf.candidate + tablePasses * cells,
    });
  },
  drawing(plan, rows) {
    const { pairs } = pairCells(plan);
    const { usual, most } = roundsOf(plan);
    const each = rowPasses * rows * visitsOf.looked;
    return addWork(certainWork(visitsOf.drawn * rows * plan.sizes.length), {
      expected: each * Math.min(pairs, usual),
      most: each * Math.min(pairs, most),
    });
  },
  law: gremLaw,
};

/** The rounds of a plan, with the target's pairs: at most, and of usual data, where noise is lowered the sooner the fewer pairs there are. */
function roundsOf({
  sizes,
  stages,
}: {
  readonly sizes: readonly number[];
  readonly stages: readonly Stage[];
}) {
  const own = stageOf(stages, "measure-target")?.tables ?? 0;
  const rounds = stageOf(stages, "residual-rounds")?.rounds ?? 0;
  const usual = sizes.length * (3 + sizes.length / 20);
  return { usual: own + Math.min(rounds, usual), most: own + rounds };
}
