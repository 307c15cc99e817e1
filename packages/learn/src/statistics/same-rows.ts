import { LetheError } from "@lethe/core";
import type { Plan } from "@lethe/query";

/**
 * Sees to it that a question of a model counts the same rows as its others: a unit is one row, or its rows are limited before any question is
 * asked. Call it on every plan before the charge. Errors: model.invalid.
 */
export function demandSameRows({ unit, contribution }: Pick<Plan, "unit" | "contribution">): void {
  if (unit.kind === "row" || contribution.limit === "rows-before-filter") return;
  throw new LetheError(
    "model.invalid",
    "a unit may have several rows, and each question of the model would count others of them",
    { fix: "write limit: rows-before-filter at the table in the policy, or name a view with one row a unit" },
  );
}

/**
 * Sees to it that all questions of a model keep equally many rows of a unit: how many are kept before the filter is a product of limits, one of which is
 * the number of a question's groups where that is smaller. Errors: model.invalid.
 */
export function demandSameLimits(plans: readonly Pick<Plan, "unit" | "contribution">[]): void {
  for (const plan of plans) demandSameRows(plan);
  const kept = plans
    .filter(({ unit }) => unit.kind !== "row")
    .map(({ contribution: { groups, rows } }) => groups * rows);
  if (new Set(kept).size <= 1) return;
  throw new LetheError(
    "model.invalid",
    `the questions of the model would keep ${[...new Set(kept)].sort((a, b) => a - b).join(", ")} rows of a unit, each its own number`,
    {
      fix: "write max_groups_contributed: 1 at the table in the policy, and the rows that a unit may have as max_rows_contributed_per_group",
    },
  );
}
