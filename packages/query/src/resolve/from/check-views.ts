import { expressionBuilder } from "../../expressions/build/build-expression.ts";
import { writeName } from "../../expressions/write-sql.ts";
import { parseQuestion } from "../../parse/parse-question.ts";
import type { Policy } from "../../policy/policy.ts";
import { limitRows } from "../../relations/joined-rows/limit-rows.ts";
import { resolveFrom } from "./resolve-from.ts";
import { withinView } from "./tables/policy-views.ts";

/**
 * Resolves every view of a policy once, for its owner: a question meets only those that it reads. A view in which one row may stand in too
 * many joined rows is one that no question can read. Errors: those of context.
 */
export async function checkViews(policy: Policy): Promise<void> {
  for (const view of Object.keys(policy.views)) {
    const { select } = await parseQuestion(`SELECT COUNT(*) FROM ${writeName(view)}`);
    const { scope } = resolveFrom(select, policy, expressionBuilder());
    withinView({ view }, undefined, () => limitRows(scope.from, null, policy));
  }
}
