import { answerCatalog, asksCatalog, asksToExplain, type Engine, type Policy } from "@lethe/query";
import type { Answered, Made } from "../answer.ts";
import { answerPublic, readPublic } from "../public-tables/answer-public.ts";
import type { Question } from "../question.ts";
import type { Answer, Explained } from "./answer-kinds.ts";

/** An answer; how it stands for the same question is told where whoever asks makes use of it. */
type Shown = Omit<Answered, "standing"> & Partial<Pick<Answered, "standing">>;

/** What a text may need to be answered: each part is opened when it is needed. */
export interface AskedParts {
  readonly policy: Policy;
  readonly engine: () => Promise<Engine>;
  /** Answers a question of private tables: {@link answerOrMade} in a house of its own, under its schedule where it keeps one. */
  readonly answer: (question: Question) => Promise<Shown | Made>;
  /** Explains a question to whoever asks it: see {@link explainAsked}. */
  readonly explain: (question: Question) => Promise<Explained>;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/**
 * Answers whatever a text asks: questions of private tables under a charge or by an earlier answer, EXPLAIN PRIVACY followed by a question at no price, SHOW TABLES, DESCRIBE and SELECTs of
 * information_schema from the policy, and questions of public tables alone from these, exactly. The one door of every protocol. Errors: coded refusals, never a value of the data.
 */
export async function askText(question: Question, parts: AskedParts): Promise<Answer> {
  const { text, options } = question;
  const { policy, clock } = parts;
  if (asksCatalog(text))
    return { kind: "catalog", catalog: await answerCatalog(text, policy, options.parameters) };
  if (asksToExplain(text)) return { kind: "explanation", explanation: await parts.explain(question) };
  const today = options.today ?? dayAt(clock());
  const ofPublic = await readPublic(text, options.parameters ?? [], today, policy);
  if (ofPublic) return { kind: "public", answer: await answerPublic(ofPublic, await parts.engine()) };
  const answer = await parts.answer(question);
  return "made" in answer ? { kind: "made", ...answer } : { kind: "release", ...answer };
}

/** Returns the day of a moment, YYYY-MM-DD in UTC. */
export function dayAt(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}
