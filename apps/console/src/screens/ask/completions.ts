import type { TableOffered } from "@lethe/client";

/** A word that a question may go on with. */
export interface Word {
  readonly label: string;
  readonly kind: "table" | "column" | "function" | "keyword";
  /** What is said of it beside. */
  readonly detail?: string;
}

/** The words of a question, in the order in which they are mostly written. */
export const keywords =
  "SELECT FROM WHERE GROUP BY HAVING ORDER LIMIT AS AND OR NOT IN IS NULL LIKE BETWEEN CASE WHEN THEN ELSE END DISTINCT FILTER OVER PARTITION WITH JOIN LEFT INNER ON USING UNION ALL ASC DESC TRUE FALSE DATE INTERVAL DESCRIBE SHOW TABLES WITHIN OPTIONS ROLLUP CUBE GROUPING SETS".split(
    " ",
  );

/**
 * Returns the words that may stand where a question's text ends: after a table's name and a point its columns, else columns, tables, functions and keywords. Columns are those of the tables that the
 * whole text names; where it names none, those of all.
 * @param before the text before the place
 * @param whole the whole text
 */
export function wordsAt(
  before: string,
  whole: string,
  tables: readonly TableOffered[],
  functions: readonly string[],
): readonly Word[] {
  if (isInText(before)) return [];
  const [, owner] = /([A-Za-z_]\w*)\s*\.\s*\w*$/.exec(before) ?? [];
  if (owner !== undefined) {
    const named = tableCalled(owner, whole, tables);
    return named ? named.columns.map(columnWord) : [];
  }
  const mentioned = tables.filter(({ name }) => words(whole).includes(name.toLowerCase()));
  const columns = (mentioned.length > 0 ? mentioned : tables).flatMap((table) =>
    table.columns.map(columnWord),
  );
  return [
    ...new Map(columns.map((column) => [column.label, column])).values(),
    ...tables.map(({ name, kind }) => ({ label: name, kind: "table" as const, detail: kind })),
    ...functions.map((label) => ({ label: label.toUpperCase(), kind: "function" as const })),
    ...keywords.map((label) => ({ label, kind: "keyword" as const })),
  ];
}

function columnWord({ name, type, bounds }: TableOffered["columns"][number]): Word {
  const range = bounds ? ` ${bounds[0]} … ${bounds[1]}` : "";
  return { label: name, kind: "column", detail: `${type}${range}` };
}

/** The table of a name, or that of an alias: "FROM people AS p" makes p one of people. */
function tableCalled(name: string, whole: string, tables: readonly TableOffered[]): TableOffered | undefined {
  const called = (wanted: string): TableOffered | undefined =>
    tables.find((table) => table.name.toLowerCase() === wanted.toLowerCase());
  const found = called(name);
  if (found) return found;
  const all = words(whole);
  const at = all.findIndex(
    (word, place) => word === name.toLowerCase() && place > 0 && called(aliased(all, place)) !== undefined,
  );
  return at < 0 ? undefined : called(aliased(all, at));
}

function aliased(all: readonly string[], at: number): string {
  return (all[at - 1] === "as" ? all[at - 2] : all[at - 1]) ?? "";
}

function words(text: string): readonly string[] {
  return text.toLowerCase().match(/[a-z_]\w*/g) ?? [];
}

/** Whether a text ends within quotes, or in a comment. */
function isInText(before: string): boolean {
  const rest = before.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*\n/g, " ");
  return /['"]|--/.test(rest);
}
