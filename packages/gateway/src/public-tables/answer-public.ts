import { LetheError } from "@lethe/core";
import {
  checkPublic,
  compilePublic,
  type Engine,
  type ParameterValue,
  type Policy,
  type PublicQuestion,
  type PublicRows,
  parseQuestion,
  publicQuestion,
} from "@lethe/query";
import { dialectOf, storagesOf } from "../execute-plan.ts";

/** The answer to a question that reads public tables alone: exact, and for nothing. Nothing was charged, so nothing is certified. */
export interface PublicAnswer extends PublicRows {
  /** The tables that were read. */
  readonly tables: readonly string[];
}

/**
 * Returns a text as a question of public tables alone, on a day (YYYY-MM-DD); null where it reads a private table, or no table. Free; touches no row. Errors: query.syntax,
 * query.too-large, query.parameter; for such a question query.unsupported and query.unknown-function.
 */
export async function readPublic(
  text: string,
  parameters: readonly ParameterValue[],
  today: string,
  policy: Policy,
): Promise<PublicQuestion | null> {
  if (!mayBePublic(text, policy)) return null;
  const parsed = await parseQuestion(text, parameters, today);
  const question = publicQuestion(parsed, policy);
  if (question) checkPublic(question);
  return question;
}

/** Whether a text holds the name of a public table or of a view: most texts hold none, and need not be read twice. */
function mayBePublic(text: string, { tables, views }: Policy): boolean {
  const names = Object.keys(tables).filter((name) => tables[name]?.unit.kind === "public");
  if (names.length === 0) return false;
  const folded = text.toLowerCase();
  return [...names, ...Object.keys(views)].some((name) => folded.includes(name.toLowerCase()));
}

/** Answers a question of public tables. Errors: engine.*, query.too-large, query.type. */
export async function answerPublic(question: PublicQuestion, engine: Engine): Promise<PublicAnswer> {
  const storageOf = await storagesOf(question.tables, engine);
  const rows = await engine.published(compilePublic(question, storageOf, dialectOf(engine)));
  return { ...rows, tables: question.tables };
}

/** Refuses a question of public tables where a price or a release is asked for. */
export function refusePublic({ tables }: PublicQuestion): never {
  throw new LetheError(
    "query.public",
    `the text reads public tables alone (${tables.join(", ")}): its answer is exact and costs nothing, so there is no release`,
    { fix: "ask it with lethe query, or with ask() of the library" },
  );
}
