import { LetheError } from "@lethe/core";
import { atKey } from "../../entry-of.ts";
import type { ColumnOfTable } from "../../policy.ts";
import type { DeclaredBounds } from "../draft-words.ts";
import { columnMeant } from "./column-meant.ts";
import type { NamedRelation } from "./name-relations.ts";
import type { ColumnWords } from "./table-lines.ts";

export interface StatedColumns {
  /** The bounds by column, as the owner wrote it. */
  readonly bounds: readonly (readonly [column: string, bounds: DeclaredBounds])[];
  readonly categories: readonly (readonly [column: string, categories: readonly string[]])[];
}

/**
 * Assigns the words about columns to tables: visits.cost, or cost where one table has it. Errors: cli.usage for a column that is
 * not there, is one of several, or is declared twice.
 */
export function placeColumnWords(
  { bounds, categories }: StatedColumns,
  shown: readonly NamedRelation[],
  owned: readonly NamedRelation[],
): ReadonlyMap<string, ColumnWords> {
  const words = new Map(
    shown.map(({ name }) => [
      name,
      { bounds: new Map<string, DeclaredBounds>(), categories: new Map<string, readonly string[]>() },
    ]),
  );
  const declared = new Set<string>();
  const place = (word: string, option: string): ColumnOfTable => {
    const at = columnMeant(word, shown, option, owned);
    const key = JSON.stringify([at.table, at.column]);
    if (declared.has(key))
      throw new LetheError("cli.usage", `the column ${at.table}.${at.column} is declared twice`, {
        fix: "state one of --bounds and --categories for it, once",
      });
    declared.add(key);
    return at;
  };
  for (const [word, stated] of bounds) {
    const { table, column } = place(word, "--bounds");
    atKey(words, table).bounds.set(column, stated);
  }
  for (const [word, stated] of categories) {
    const { table, column } = place(word, "--categories");
    atKey(words, table).categories.set(column, stated);
  }
  return words;
}
