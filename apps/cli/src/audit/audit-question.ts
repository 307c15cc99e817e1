import { type AuditRow, replayPlan } from "@lethe/audit";
import { LetheError, parseRational } from "@lethe/core";
import { bindQuestion, type Plan, type Policy, parseQuestion, planQuestion, policyHash } from "@lethe/query";
import { openEngine } from "../open.ts";
import { withQuestion } from "../question-text.ts";
import { policyOf, workspaceOf } from "../workspace.ts";

interface QuestionFlags {
  readonly policy: string;
  readonly neighbour?: string;
  readonly epsilon?: string;
}

/**
 * Runs one plan on the policy's data and on a neighbour's, through the engine that answers questions. It opens exact aggregates, so it
 * is the owner's, and nothing of them leaves but by how far a distance exceeds what was priced. No charge.
 */
export async function auditQuestion(flags: QuestionFlags, text: string): Promise<AuditRow> {
  if (flags.neighbour === undefined) {
    throw new LetheError("cli.usage", "a question is audited on two databases", {
      fix: "name the policy of the other with --neighbour",
    });
  }
  const [own, other] = [workspaceOf(flags.policy), workspaceOf(flags.neighbour)];
  const policy = policyOf(own);
  const plan = await withQuestion(text, (sql) => planOf(sql, policy, flags.epsilon));
  const engines = [await openEngine(own, policy), await openEngine(other, policyOf(other))];
  try {
    const moved = await replayPlan(
      plan,
      engines.map((engine) => ({ engine })),
    );
    return {
      audit: "replay",
      subject: "the question",
      of: "user",
      finding: moved.length === 0 ? null : moved.join("; "),
      claim: plan.measurements.map(({ describes, l1 }) => `${describes}: ℓ1 ≤ ${l1}`).join("; "),
      measured: `${moved.length} distances beyond the price`,
      interval: null,
      ceiling: 0,
      how: "the plan's own SQL on both databases",
    };
  } finally {
    for (const engine of engines) await engine.close();
  }
}

/** The plan of a question, at the price that it states, at this one, or at 1. */
export async function planOf(sql: string, policy: Policy, epsilon: string | undefined): Promise<Plan> {
  const question = bindQuestion(await parseQuestion(sql), policy);
  const price = epsilon ?? (question.options.epsilon === null ? "1" : null);
  return planQuestion(
    question,
    policy,
    { epsilon: price === null ? null : parseRational(price, "epsilon") },
    policyHash(policy),
  );
}
