import { type CatalogAnswer, type PublicRows, type TableDescription, valuesText } from "@lethe/query";
import { renderGrid } from "../grid.ts";
import { printable } from "../printable.ts";
import { terminalWidth } from "./terminal-width.ts";
import { wrapFact } from "./wrap.ts";

/** What stands in a cell that says nothing. */
const nothing = "—";

/** Writes the rows that the policy answers, or those of public tables. */
export function renderCatalog(
  { columns, rows }: CatalogAnswer | PublicRows,
  width: number = terminalWidth(),
): string {
  return renderGrid(
    columns.map(({ name }) => name),
    rows.map((row) => row.map((cell) => (cell === null ? nothing : String(cell)))),
    columns.map(({ type }) => type === "integer" || type === "number"),
    width,
  );
}

/** Says what an answer about public tables is worth. */
export function exactWords(tables: readonly string[]): string {
  return `exact, and for nothing: ${tables.join(", ")} ${tables.length === 1 ? "is" : "are"} public`;
}

/** Writes such an answer as objects with a field for each column. */
export function catalogObjects({ columns, rows }: CatalogAnswer | PublicRows): readonly object[] {
  return rows.map((row) => Object.fromEntries(columns.map(({ name }, at) => [name, row[at] ?? null])));
}

/** Writes what the policy lets one ask of a table: its unit, its columns, and questions to begin with. */
export function renderTable(table: TableDescription, width: number = terminalWidth()): string {
  const { columns, problem, questions } = table;
  const facts = factsOf(table).map((fact) => wrapFact(printable(fact), width));
  if (problem !== null) return facts.join("\n");
  const rows = columns.map((column) => [
    column.name,
    column.type,
    column.role === "unit" ? "names the unit: count it" : (valuesText(column) ?? nothing),
    column.nullable ? "yes" : "no",
  ]);
  return [
    ...facts,
    "",
    renderGrid(["column", "type", "values", "NULL"], rows, [], width),
    ...(questions.length > 0 ? ["", "Ask"] : []),
    ...questions.map((question) => wrapFact(`  ${printable(question)};`, width)),
  ].join("\n");
}

function factsOf({ name, kind, isView, unit, limits, expectedRows, problem }: TableDescription): string[] {
  const what = `${kind} ${isView ? "view" : "table"}`;
  const counted = limits && limitWords(limits);
  return [
    `${name}   ${[what, ...(expectedRows === null ? [] : [`about ${expectedRows.toLocaleString("en")} rows`])].join(", ")}`,
    ...(unit === null ? [] : [`Unit    ${unit}`]),
    ...(counted === null ? [] : [`Limits  ${counted}`]),
    ...(problem === null ? [] : [`Refused ${problem}`]),
  ];
}

function limitWords({ maxGroups, maxRowsPerGroup, limit }: NonNullable<TableDescription["limits"]>): string {
  const which = limit === "rows-before-filter" ? "of the table" : "that a question keeps";
  const s = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
  return `one unit counts with at most ${s(maxRowsPerGroup, "row")} in each of ${s(maxGroups, "group")}, of the rows ${which}`;
}
