import { LetheError, parseRational } from "@lethe/core";
import {
  type Plan,
  type Policy,
  parseQuestion,
  planQuestion,
  policyHash,
  resolveQuestion,
} from "@lethe/query";

const placeholder = { epsilon: parseRational("1"), delta: parseRational("1e-6") };

/**
 * Plans a question of one COUNT(*) by keys for a procedure, which draws by itself: only the count is compiled and run, and the plan's own noise and
 * price stand for nothing. The limits on a unit's rows are those of the policy, whatever the keys, so that all such questions about a table count
 * the same rows. Errors: those of resolving and planning.
 * @example await countingPlan('SELECT sector, COUNT(*) AS n FROM people GROUP BY sector', policy)
 */
export async function countingPlan(text: string, policy: Policy): Promise<Plan> {
  // Declared keys would lower the limits to their number, and leave out rows: only for private keys are the limits the policy's.
  const approximate: Policy = {
    ...policy,
    budget: { ...policy.budget, measure: "approximate", ...placeholder, rho: null },
  };
  const question = resolveQuestion(await parseQuestion(text), policy);
  const options = { ...placeholder, groupSelection: "private" } as const;
  const plan = planQuestion(question, approximate, options, policyHash(policy));
  const counted = plan.measurements.find(({ name }) => name === "COUNT(*)")?.terms[0]?.sum;
  const sums = plan.sums.filter(({ name }) => name === counted);
  if (sums.length !== 1 || plan.keys.parts.length === 0)
    throw new LetheError("internal.invariant", "a table was asked for by no count by keys", {
      fix: "ask for COUNT(*) with GROUP BY",
    });
  return { ...plan, sums, keys: { ...plan.keys, program: { kind: "none" } } };
}

/** The most rows that one unit has among those that a counting plan counts. */
export function rowsPerUnit({ unit, contribution, joinedRows = 1 }: Plan): number {
  return (unit.kind === "row" ? 1 : contribution.groups * contribution.rows) * joinedRows;
}
