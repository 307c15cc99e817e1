import { sizesOf } from "../domain/index.ts";
import { modelBytes } from "../graph/index.ts";
import type { Stage, SynthesisPlan } from "./synthesis-plan.ts";

/** Passes over the model: of the first estimate, of each of AIM's rounds, which starts where the last one ended, and of the last. */
export const passes = { first: 100, round: 40, last: 500 } as const;

/** Cells of the model that a pass gets through in a second, each read off by the tables in it: of a common processor, in one thread. */
const cellsInASecond = 5e6;
/** A choice scores each pair's cells. */
const scoredInASecond = 3e7;

/**
 * Returns how many seconds a plan may take, from the plan alone, to be told before it is charged: about, and rather too many. A model is taken as large as its
 * cap lets it be, AIM's as growing to the cap evenly, and no attribute as merged.
 */
export function expectedSeconds({ domain, stages, modelBytes: cap }: SynthesisPlan): number {
  const sizes = sizesOf(domain);
  const least = modelBytes(sizes, []) / 8;
  const sum = sizes.reduce((total, size) => total + size, 0);
  const pairs = (sum * sum - sizes.reduce((total, size) => total + size * size, 0)) / 2;
  const largest = Math.min(cap / 8, pairs + least);
  const seconds = (stage: Stage): number => {
    switch (stage.kind) {
      case "measure-each":
        return (passes.first * least) / cellsInASecond;
      case "choose-tree":
        return (stage.choices * pairs) / scoredInASecond;
      case "measure-chosen":
      case "measure-pairs":
        return (passes.last * largest) / cellsInASecond;
      case "adaptive-rounds": {
        const middle = (least + cap / 8) / 2;
        const fitted = (stage.rounds * passes.round * middle) / cellsInASecond;
        return fitted + (stage.rounds * pairs) / scoredInASecond + (passes.last * cap) / 8 / cellsInASecond;
      }
    }
  };
  return stages.reduce((total, stage) => total + seconds(stage), 0);
}
