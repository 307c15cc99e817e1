import { ratio, toText } from "@lethe/core";
import { tableSensitivity } from "@lethe/core/mechanisms";
import { modelBytes } from "../graph/index.ts";
import {
  addWork,
  certainWork,
  eachStage,
  fittedLaw,
  type Method,
  pairCells,
  passes,
  rest,
  roundWithin,
  singleCells,
  split,
  stageOf,
  targetOf,
  visitsOf,
} from "../plan/index.ts";
import { runAim } from "./run-aim.ts";

/** The share of the total for single attributes, and that of a round for its choice. */
const [each, choices] = [ratio(15n, 100n), ratio(10n, 100n)];

/** Rounds for each attribute, were the noise never lowered; and of usual data. */
const [roundsForEach, usualRounds] = [16, 3];

/** Measures what its model knows worst, round by round, and spends as its answers tell. It keeps to the cap by itself, from the model of single attributes on. */
export const aim: Method = {
  leastBytes: ({ sizes }) => modelBytes(sizes, []),
  stages(parts) {
    const rounds = roundsForEach * parts.sizes.length;
    const part = rest(parts, each);
    const { sigma, epsilon } = roundWithin(split(part, rounds), choices, parts);
    return [
      eachStage(parts, each),
      {
        ...{ kind: "adaptive-rounds", rounds, part: toText(part) },
        ...{ sigma: toText(sigma), epsilon: toText(epsilon) },
      },
    ];
  },
  measure(plan, source, progress) {
    const { stages, session, modelBytes: cap } = plan;
    const { l2Squared } = tableSensitivity(session.adjacency, session.rowsPerUnit);
    return runAim(stages, source, {
      ...{ measure: session.measure, l2Squared, choices, modelBytes: cap, target: targetOf(plan) },
      ...(progress ? { progress } : {}),
    });
  },
  work(plan) {
    const { sizes, stages, modelBytes: cap } = plan;
    const [least, joint] = [singleCells(plan), sizes.reduce((product, size) => product * size, 1)];
    const largest = Math.max(least, Math.min(cap / 8, joint));
    const rounds = stageOf(stages, "adaptive-rounds")?.rounds ?? 0;
    // Of usual data the noise is lowered after a few rounds, most of which have a small model.
    const usual = Math.min(rounds, usualRounds * sizes.length);
    const pairs = pairCells(plan).pairs;
    // Each candidate's table is read off the model: those within a clique off all of its cells.
    const [reading, most] = [1.8 * sizes.length, Math.max(2 * sizes.length, pairs / 4)];
    return addWork(certainWork(passes.first * least), {
      expected:
        usual * (passes.round + reading) * (least + (largest - least) / 6) +
        (passes.last * (least + largest)) / 2,
      // Models grow as what is spent does, which over all rounds is a half of their number at most.
      most: rounds * (passes.round + most) * (least + largest / 2) + passes.last * largest,
    });
  },
  drawing: ({ sizes }, rows) => certainWork(visitsOf.drawn * rows * sizes.length),
  law: fittedLaw,
};
