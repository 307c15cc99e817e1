import { elementAt } from "@lethe/core/numeric";
import type { ParameterValue } from "../../parse/parameters.ts";
import { parseQuestion } from "../../parse/parse-question.ts";
import { scanTokens, type Token } from "../../parse/scan-tokens.ts";
import type { Policy } from "../../policy/policy.ts";
import { didYouMean } from "../../refusals/did-you-mean.ts";
import { refuse } from "../../refusals/refuse.ts";
import { resolveName } from "../../resolve/names/scope.ts";
import type { ColumnDescription } from "../column-description.ts";
import { describeQuestion } from "../question-description.ts";
import { describeTables, type TableDescription } from "../table-description.ts";
import type { CatalogAnswer, CatalogAnswerColumn } from "./catalog-answer.ts";
import { informationSchema } from "./information-schema.ts";
import { selectCatalog } from "./select-catalog.ts";

const text = (name: string): CatalogAnswerColumn => ({ name, type: "text" });
const forms = "write SHOW TABLES, SHOW COLUMNS FROM a_table, DESCRIBE a_table or DESCRIBE SELECT …";

/**
 * Answers what asks the policy and no data: SHOW TABLES, SHOW COLUMNS FROM t, DESCRIBE t, DESCRIBE SELECT …, and a SELECT of information_schema. It
 * costs nothing. `asksCatalog` tells such texts from questions.
 * Errors: query.syntax, query.unknown-table, query.unsupported, and those of describeQuestion.
 * @example (await answerCatalog("SHOW TABLES", policy)).rows // => [["people", "private", "each row is one person", 534]]
 */
export async function answerCatalog(
  question: string,
  policy: Policy,
  parameters: readonly ParameterValue[] = [],
): Promise<CatalogAnswer> {
  const tokens = [...scanTokens(question)];
  while (tokens.at(-1)?.kind === "semicolon") tokens.pop();
  const words = tokens.map(({ start, end }) => question.slice(start, end));
  const [first = "", second = "", third = ""] = words.map((word) => word.toLowerCase());
  if (first === "show") {
    const what = second === "all" ? third : second;
    if (what === "tables" || what === "views") return showTables(policy, what === "views", tokens, question);
    if (second === "columns" && (third === "from" || third === "in"))
      return columnsOf(tokens.slice(3), question, policy);
    return refuse("query.syntax", "SHOW names tables, views or the columns of one", forms, tokens[1]?.start);
  }
  if (first === "describe" || first === "desc") {
    const asked = second === "table" && tokens.length > 2 ? tokens.slice(2) : tokens.slice(1);
    const at = asked[0]?.start ?? question.length;
    return /^(?:select|with|explain|\()$/i.test(asked[0] ? question.slice(at, asked[0].end) : "")
      ? describedQuestion(question, at, policy)
      : columnsOf(asked, question, policy);
  }
  const parsed = await parseQuestion(question, parameters);
  return selectCatalog(parsed.select, informationSchema(await describeTables(policy), policy));
}

/**
 * Whether a text asks the policy alone. It reads words, and no SQL, so that whoever answers knows it before opening anything.
 * @example asksCatalog("DESCRIBE people") // => true
 */
export function asksCatalog(question: string): boolean {
  let before: string | null = null;
  for (const { kind, start, end } of scanTokens(question)) {
    const word = question.slice(start, end).toLowerCase();
    if (before === null && kind === "word" && /^(?:show|describe|desc)$/.test(word)) return true;
    if (before !== null && /^"?information_schema"?$/.test(before) && word === ".") return true;
    before = word;
  }
  return false;
}

async function showTables(
  policy: Policy,
  viewsAlone: boolean,
  tokens: readonly Token[],
  question: string,
): Promise<CatalogAnswer> {
  const last = elementAt(tokens, tokens.length - 1);
  if (!/^(?:tables|views)$/i.test(question.slice(last.start, last.end)))
    refuse("query.syntax", "SHOW TABLES takes no more words", forms, last.start);
  const tables = (await describeTables(policy)).filter(({ isView }) => isView || !viewsAlone);
  return {
    columns: [text("name"), text("kind"), text("unit"), { name: "expected_rows", type: "integer" }],
    rows: tables.map(({ name, kind, isView, unit, expectedRows }) => [
      name,
      isView ? `${kind} view` : kind,
      unit,
      expectedRows,
    ]),
  };
}

async function columnsOf(tokens: readonly Token[], question: string, policy: Policy): Promise<CatalogAnswer> {
  const { columns } = await tableMeant(tokens, question, policy);
  return {
    columns: [
      text("column_name"),
      text("column_type"),
      { name: "nullable", type: "boolean" },
      text("key"),
      text("values"),
    ],
    rows: columns.map((column) => [
      column.name,
      column.type,
      column.nullable,
      column.role,
      valuesText(column),
    ]),
  };
}

/** The values that a column may have, in one line; null where nothing is said of them. */
export function valuesText({ bounds, categories, maxLength }: ColumnDescription): string | null {
  if (categories) return categories.join(", ");
  if (bounds) return `${bounds[0]} … ${bounds[1]}`;
  return maxLength === null ? null : `up to ${maxLength} characters`;
}

async function tableMeant(
  tokens: readonly Token[],
  question: string,
  policy: Policy,
): Promise<TableDescription> {
  const [first] = tokens;
  const last = tokens.at(-1);
  if (!first || !last) return refuse("query.syntax", "a table's name is missing", forms, question.length);
  const isName = tokens.every(({ kind, start, end }, at) =>
    at % 2 === 0 ? kind === "word" || kind === "quoted" : question.slice(start, end) === ".",
  );
  if (!isName || tokens.length % 2 === 0)
    return refuse("query.syntax", "one table's name is expected", forms, first.start);
  const asked = question
    .slice(last.start, last.end)
    .replace(/^"(.*)"$/s, "$1")
    .replaceAll('""', '"');
  const known = [...Object.keys(policy.tables), ...Object.keys(policy.views)];
  const name = resolveName(asked, known);
  const table = (await describeTables(policy)).find((each) => each.name === name);
  if (table?.problem === null) return table;
  if (table)
    return refuse(
      "query.unsupported",
      `no question can read this view: ${table.problem}`,
      "ask its owner to change it",
      last.start,
    );
  return refuse(
    "query.unknown-table",
    `the policy has no table ${JSON.stringify(asked)}`,
    didYouMean(asked, known),
    last.start,
  );
}

/** Offsets stay those of the whole text: what stands before the question is blanked out. */
async function describedQuestion(question: string, at: number, policy: Policy): Promise<CatalogAnswer> {
  const { columns, parameters } = await describeQuestion(" ".repeat(at) + question.slice(at), policy);
  return {
    columns: [text("name"), text("type"), text("kind")],
    rows: [
      ...columns.map(({ name, type, kind }) => [name, type, kind]),
      ...parameters.map(({ name, type }) => [name, type, "parameter"]),
    ],
  };
}
