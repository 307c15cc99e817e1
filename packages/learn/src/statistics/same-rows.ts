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
