import { LetheError } from "@lethe/core";
import { writeName } from "../expressions/write-sql.ts";
import { parseQuestion } from "../parse/parse-question.ts";
import type { Policy } from "../policy/policy.ts";
import { resolveQuestion } from "../resolve/question/resolve-question.ts";
import type { ColumnDescription } from "./column-description.ts";

const most = 4;

/** Returns a few questions about a table with these columns, each of which the policy answers. */
export async function questionsAbout(
  table: string,
  columns: readonly ColumnDescription[],
  policy: Policy,
): Promise<readonly string[]> {
  const answered: string[] = [];
  for (const question of candidates(table, columns)) {
    if (answered.length === most) break;
    if (await isAnswered(question, policy)) answered.push(question);
  }
  return answered;
}

function* candidates(table: string, columns: readonly ColumnDescription[]): Iterable<string> {
  const free = columns.filter(({ role }) => role === null);
  const named = (column: ColumnDescription | undefined): string | null =>
    column === undefined ? null : writeName(column.name);
  const isKey = ({ type, categories }: ColumnDescription): boolean =>
    type === "boolean" || categories !== null;
  const group = named(free.find((column) => column.type === "text" && isKey(column)) ?? free.find(isKey));
  const number = named(
    free.find(({ type, bounds, categories }) => type === "number" && bounds && !categories) ??
      free.find(({ type, bounds }) => type === "integer" && bounds),
  );
  const day = named(free.find(({ type }) => type === "date" || type === "timestamp"));
  const unit = named(columns.find(({ role }) => role === "unit"));
  const from = `FROM ${writeName(table)}`;

  if (group !== null && number !== null)
    yield `SELECT ${group}, COUNT(*), AVG(${number}) ${from} GROUP BY ${group}`;
  else if (group !== null) yield `SELECT ${group}, COUNT(*) ${from} GROUP BY ${group}`;
  else if (number !== null) yield `SELECT COUNT(*), AVG(${number}) ${from}`;
  yield `SELECT COUNT(${unit === null ? "*" : `DISTINCT ${unit}`}) ${from}`;
  if (day !== null)
    yield `SELECT date_trunc('month', ${day}), COUNT(*) ${from} GROUP BY date_trunc('month', ${day})`;
  if (number !== null) yield `SELECT MEDIAN(${number}) ${from}`;
  if (unit !== null) yield `SELECT COUNT(*) ${from}`;
}

/** Whether a question's names and types are those of the policy. */
async function isAnswered(question: string, policy: Policy): Promise<boolean> {
  try {
    resolveQuestion(await parseQuestion(question), policy);
    return true;
  } catch (error) {
    if (error instanceof LetheError) return false;
    throw error;
  }
}
