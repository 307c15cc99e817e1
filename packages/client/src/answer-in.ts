import type { Answer, Cell, Loss, Release } from "./answers.ts";
import { LetheProblem } from "./problem.ts";

/** What was asked of nobody's privacy costs nothing, whatever the account counts in. */
const nothing: Loss = { measure: "pure", epsilon: "0" };

/** The body of an answer that is no release: rows of public tables, or of the catalog. */
interface PlainBody {
  readonly columns: Answer["columns"];
  readonly rows: readonly (readonly Cell[])[];
}

/**
 * Returns the answer that a body holds. What is read of public tables alone, or of the catalog, is exact and was never released: its rows get named fields here. Errors: a problem where the body is a plan, since
 * the question asked to be explained.
 * @param date the header Date of the response: when what was never released was read
 */
export function answerIn(body: Release | PlainBody, date: string | null): Answer {
  if ("answer" in body) return body.answer;
  if (!("rows" in body)) throw new LetheProblem(200, isPlan, null);
  const { columns, rows } = body;
  const named = rows.map((row) => Object.fromEntries(columns.map(({ name }, at) => [name, row[at] ?? null])));
  const asOf = date === null ? "" : new Date(date).toISOString();
  return { columns, rows: named, price: nothing, charged: nothing, asOf, confidence: 1, notes: [] };
}

const isPlan = {
  code: "parameter.invalid",
  detail: "the question asks to be explained, which gives a plan and no rows",
  fix: "call explain, with the question that follows EXPLAIN",
} as const;
