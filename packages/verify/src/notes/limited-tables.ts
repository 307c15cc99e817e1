import type { Plan } from "@lethe/query";
import { tables } from "../derive/rows-of-units.ts";
import { counted } from "./words.ts";

const chosen = "chosen by lowest keyed hash";
const first = "the first in the order of the columns that it reads";

/** Rows that are left out before they are joined. */
export function* limitedTables(plan: Plan): Iterable<string> {
  const said = new Set<string>();
  for (const { table, source, limits = [] } of tables(plan.from))
    for (const limit of limits) {
      const name = source === null || source === table ? table : `${table} as ${source}`;
      const rows = counted(limit.rows, "row");
      const [joined, read] = [`the join takes at most ${rows}`, `the question reads at most ${rows}`];
      const column = "column" in limit ? limit.column : "";
      const text = {
        unit: `${joined} of each unit, ${chosen}`,
        "unit-and-key": `${joined} for each unit and ${column}, ${chosen}`,
        value: `${read} for each ${column}, ${first}`,
        table: `${read}, ${first}`,
      }[limit.per];
      said.add(`of ${name}, ${text}`);
    }
  for (const text of said) yield `${text}; other rows are left out`;
}
