import { earlierRelease } from "../earlier-release.ts";
import { madeAhead } from "../made/made-ahead.ts";
import type { Question } from "../question.ts";
import { type RepeatSources, repeatAhead } from "../repeats/repeat-ahead.ts";
import { explain } from "../resolved-question.ts";
import type { Explained, FreeAnswers } from "./answer-kinds.ts";

/**
 * Explains a question to whoever asks it: its plan in words and numbers, and the answers that they would be given for nothing. Free; touches no row. `today` of the options is the day that it is
 * asked on. Errors: those of the question; query.option for a release that is not theirs to lean on.
 */
export async function explainAsked(
  question: Pick<Question, "text" | "principal" | "options">,
  sources: RepeatSources,
): Promise<Explained> {
  const { text, principal, options } = question;
  const asker = { principal, held: options.heldRelease ?? null };
  const explanation = await explain(text, options, sources.policy, (id) =>
    earlierRelease(id, asker, sources.ledger),
  );
  return { ...explanation, ...(await freeAnswers(question, sources)) };
}

/** Returns the answers that a question would be given for nothing now. Errors: those of the question. */
export async function freeAnswers(
  question: Pick<Question, "text" | "principal" | "options">,
  sources: RepeatSources,
): Promise<FreeAnswers> {
  return { earlier: await repeatAhead(question, sources), made: await madeAhead(question, sources) };
}
