import { describeQuestion as describeUnder, type QuestionDescription, readPolicy } from "@lethe/query";

/**
 * Describes a question by the text of a policy alone: the names and types of the columns of its answer, and the types of its parameters, which need no
 * values. It costs nothing, and opens neither data nor ledger. Errors: policy.*, and those of a question that is refused.
 * @example
 * const { parameters } = await describeQuestion("SELECT AVG(wage) FROM people WHERE sector = $1", { policyText });
 * // => [{ name: "$1", type: "text" }]
 */
export function describeQuestion(
  sql: string,
  { policyText }: { readonly policyText: string },
): Promise<QuestionDescription> {
  return describeUnder(sql, readPolicy(policyText));
}
