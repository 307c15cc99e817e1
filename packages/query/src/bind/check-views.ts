import { parseQuestion } from "../parse/parse-question.ts";
import type { Policy } from "../policy/policy.ts";
import { limitRows } from "../work/limit-rows.ts";
import { bindFrom } from "./bind-from.ts";
import { expressionBuilder } from "./build-expression.ts";
import { withinView } from "./policy-views.ts";
import { writeName } from "./write-sql.ts";

/**
 * Binds every view of a policy once, for its owner: a question meets only those that it reads. A view in which one row may stand in too
 * many joined rows is one that no question can read. Errors: those of binding.
 */
export async function checkViews(policy: Policy): Promise<void> {
  for (const view of Object.keys(policy.views)) {
    const { select } = await parseQuestion(`SELECT COUNT(*) FROM ${writeName(view)}`);
    const { scope } = bindFrom(select, policy, expressionBuilder());
    withinView({ view }, undefined, () => limitRows(scope.from, null, policy));
  }
}
