import type { Plan } from "@lethe/query";
import { rowsOf, tables } from "../derive/rows-of-units.ts";
import { counted } from "./words.ts";

/** Rows that are left out before they are joined. */
export function* limitedTables(plan: Plan): Iterable<string> {
  const said = new Set<string>();
  for (const { table, source, limits = [] } of tables(rowsOf(plan)))
    for (const limit of limits) {
      const name = source === null || source === table ? table : `${table} as ${source}`;
      const read = `of ${name} at most ${counted(limit.rows, "row")}`;
      const chosen = "those of least keyed hash";
      const text = {
        unit: `${read} of each unit are joined, ${chosen}`,
        "unit-and-key": `${read} of each unit ${"column" in limit ? `and ${limit.column}` : ""} are joined, ${chosen}`,
        value: `${read} of each ${"column" in limit ? limit.column : ""} are read, the first in order of what is read of them`,
        table: `${read} are read, the first in order of what is read of them`,
      }[limit.per];
      said.add(text);
    }
  for (const text of said) yield `${text}; the answer is of those`;
}
