import { tablesAnswered } from "@lethe/query";
import type { Question } from "../question.ts";
import { dataVersion } from "../repeats/data-version.ts";
import type { RepeatSources } from "../repeats/repeat-ahead.ts";
import { readQuestion } from "../resolved-question.ts";
import type { MadeAnswer } from "./made-answer.ts";
import { makeableAnswer, plainPlan } from "./make-answer.ts";

/** An answer that what was released makes, at no charge. */
export interface MadeAhead extends Pick<MadeAnswer, "of" | "errors"> {
  /** Whether it is given without being asked for: the statistic that is asked for, and no column much wider than in an answer that is paid for. */
  readonly isTaken: boolean;
}

/**
 * Returns the answer that releases make to a question; null where none do. Looks at no data. EXPLAIN PRIVACY may stand before the question. Errors: those of the question.
 */
export async function madeAhead(
  { text, principal, options }: Omit<Question, "requestId">,
  { policy, ledger, clock, versionOf }: RepeatSources,
): Promise<MadeAhead | null> {
  const resolved = await readQuestion(text, options, policy, true);
  const plan = plainPlan(resolved);
  const version = plan && dataVersion(await Promise.all(tablesAnswered(plan).map(versionOf)), policy);
  if (!plan || !version) return null;
  const { makeable } = await makeableAnswer({ principal, resolved, plan, version }, { ledger, clock });
  if (makeable === null) return null;
  const { made, isTaken } = makeable;
  return { of: made.of, errors: made.errors, isTaken };
}
