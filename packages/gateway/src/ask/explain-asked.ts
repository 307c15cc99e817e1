import { explainedReadings, type ReadingOf } from "@lethe/query";
import { earlierRelease } from "../earlier-release.ts";
import { madeAhead } from "../made/made-ahead.ts";
import type { Question } from "../question.ts";
import { type RepeatSources, repeatAhead } from "../repeats/repeat-ahead.ts";
import { explain } from "../resolved-question.ts";
import type { Explained, FreeAnswers } from "./answer-kinds.ts";

/** What is looked at before a question is explained: no data, and of an engine no more than what it knows of its tables. */
export interface ExplainSources extends RepeatSources {
  /** Says how the question would read a table now. */
  readonly readingOf: ReadingOf;
}

/**
 * Explains a question to whoever asks it: its plan in words and numbers, and the answers that they would be given for nothing, and how each table would be read. Free; touches no row. `today` of the options is the day that it is
 * asked on. Errors: those of the question; query.option for a release that is not theirs to lean on; those of `versionOf`, as where the database cannot be reached.
 */
export async function explainAsked(
  question: Pick<Question, "text" | "principal" | "options">,
  sources: ExplainSources,
): Promise<Explained> {
  const { text, principal, options } = question;
  const asker = { principal, held: options.heldRelease ?? null };
  const explanation = await explain(text, options, sources.policy, (id) =>
    earlierRelease(id, asker, sources.ledger),
  );
  const free = await freeAnswers(question, sources);
  const reads = explainedReadings(explanation, sources.policy, sources.readingOf);
  return { ...explanation, ...free, reads };
}

/** Returns the answers that a question would be given for nothing now. Errors: those of the question. */
export async function freeAnswers(
  question: Pick<Question, "text" | "principal" | "options">,
  sources: RepeatSources,
): Promise<FreeAnswers> {
  return { earlier: await repeatAhead(question, sources), made: await madeAhead(question, sources) };
}
