import { type Draws, seal } from "@lethe/core/mechanisms";
import type { BoostedModel } from "../model/boosted-model.ts";
import type { BoostingPlan } from "../plan/boosting-plan.ts";
import { checkEvent, trainSealedBoosting } from "./train-sealed-boosting.ts";
import { checkRows, type TrainingRows, unitRows } from "./training-rows.ts";

/**
 * Runs a planned training on the owner's rows: checks that the lists are a table, seals them, and trains as {@link trainSealedBoosting} does.
 * Its event is to be charged before. Time: rounds · features · rows.
 * Errors: parameter.invalid for lists that do not fit the plan, and for a plan whose event is not that of its noise.
 * @example trainBoosting(plan, { features: [ages], target: members }, drawing(secureEntropy()))
 */
export function trainBoosting(plan: BoostingPlan, rows: TrainingRows, draws: Draws): BoostedModel {
  checkEvent(plan);
  checkRows(plan, rows);
  return trainSealedBoosting(plan, seal(unitRows(rows)), draws);
}
