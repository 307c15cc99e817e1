import { writeSql } from "../../expressions/write-sql.ts";
import { stageSensitivity } from "../learned-bounds/bounds-stage.ts";
import { assumedBounds, type LearnedArgument } from "../learned-bounds/learned-arguments.ts";
import type { BoundsStage } from "../plan.ts";
import type { LimitedQuestion } from "./limit-contributions.ts";

/** A stage before noise is chosen for it. */
export interface DerivedStage extends Omit<BoundsStage, "noise" | "l1" | "l2Squared"> {
  readonly l1: bigint;
  readonly l2Squared: bigint;
}

/** The cells from which an argument's bounds are learned, and how far one unit moves their counts (proof: ../sensitivity.proof.md). */
export function deriveStage(
  learned: LearnedArgument,
  { adjacency, contribution }: LimitedQuestion,
): DerivedStage {
  const { argument, ends } = learned;
  const sensitivity = stageSensitivity(adjacency, contribution);
  return {
    name: `cells of the size of ${writeSql(argument)}`,
    argument,
    ends,
    ...sensitivity,
    counts: null,
    bounds: assumedBounds(learned),
  };
}
