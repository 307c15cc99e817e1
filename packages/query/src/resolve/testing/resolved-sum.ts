import type { Expression } from "../../expressions/expression.ts";
import { parseQuestion } from "../../parse/index.ts";
import { resolveQuestion } from "../question/resolve-question.ts";
import { testPolicy } from "./test-policy.ts";

/** Returns the expression that a question over the people of the test policy sums. */
export async function resolvedSum(text: string): Promise<Expression> {
  const [sum] = resolveQuestion(
    await parseQuestion(`SELECT SUM(${text}) FROM people`),
    testPolicy,
  ).aggregates;
  if (sum?.kind !== "sum") throw new Error("a sum is due");
  return sum.argument;
}
