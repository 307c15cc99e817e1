import { parseQuestion } from "../parse/parse-question.ts";
import type { Policy } from "../policy/policy.ts";
import { bindFrom } from "./bind-from.ts";
import { expressionBuilder } from "./build-expression.ts";
import { writeName } from "./write-sql.ts";

/** Binds every view of a policy once, for its owner: a question meets only those that it reads. Errors: those of binding. */
export async function checkViews(policy: Policy): Promise<void> {
  for (const view of Object.keys(policy.views)) {
    const { select } = await parseQuestion(`SELECT COUNT(*) FROM ${writeName(view)}`);
    bindFrom(select, policy, expressionBuilder());
  }
}
