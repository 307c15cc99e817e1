import { LetheError } from "@lethe/core";
import { didYouMean } from "../../../refusals/did-you-mean.ts";
import type { ColumnOfTable } from "../../policy.ts";
import type { NamedRelation } from "./name-relations.ts";

/** Whether a word names this table: by the name it has in the policy, or in the database. */
export function isCalled({ name, facts }: NamedRelation, word: string): boolean {
  return [name, facts.name, `${facts.schema}.${facts.name}`].includes(word);
}

/**
 * Returns the column that people.id, clinic.people.id or, where one table alone has it, id means. Names may hold dots, so each is
 * tried; tables that are owned come before those in comments. Errors: cli.usage.
 */
export function columnMeant(
  word: string,
  tables: readonly NamedRelation[],
  option: string,
  owned: readonly NamedRelation[] = [],
): ColumnOfTable {
  const found = tables.flatMap((table) =>
    table.columns
      .filter(({ name }) => name === word || isCalled(table, tableOf(word, name)))
      .map(({ name }): ColumnOfTable => ({ table: table.name, column: name })),
  );
  const exact = found.filter(({ table, column }) => word === `${table}.${column}`);
  const inOwned = found.filter((at) => owned.some(({ name }) => name === at.table));
  const [meant, ...others] = [exact, inOwned, found].find(({ length }) => length > 0) ?? [];
  if (meant && others.length === 0) return meant;
  const places = [meant, ...others].flatMap((at) => (at ? [`${at.table}.${at.column}`] : []));
  if (meant)
    throw new LetheError("cli.usage", `${option}: several tables have a column ${word}`, {
      fix: `name the table too: ${places.slice(0, 12).join(", ")}`,
    });
  const known = tables.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`));
  throw new LetheError("cli.usage", `${option}: no table here has a column ${word}`, {
    fix: didYouMean(word, known),
  });
}

/** Returns the part of a word before .column; the empty text where the word does not end so. */
function tableOf(word: string, column: string): string {
  return word.endsWith(`.${column}`) ? word.slice(0, -column.length - 1) : "";
}
