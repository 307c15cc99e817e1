import { type Plan, questionsOf } from "@lethe/query";

/**
 * Returns the statements that a plan asks of the database: for each question of its text its sums, and the cells of each tree; before these, where bounds are learned, the same of the stages.
 * A function of the plan alone, so that the time which an answer is given can be one too.
 */
export function statementsOf(plan: Plan): number {
  return questionsOf(plan).reduce((sum, { trees = [], learned }) => {
    const ofStages = learned ? 1 + learned.stages.length : 0;
    return sum + ofStages + 1 + trees.length;
  }, 0);
}
