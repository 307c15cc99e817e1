import { plural } from "../refusals/plural.ts";
import type { RowLimit } from "../relations/relation.ts";

/** How many rows of a table are read at most, and which. */
export function limitWords(limit: RowLimit): string {
  const rows = plural(limit.rows, "row");
  const first = "the first in the order of the columns that it reads";
  const chosen = "chosen by lowest keyed hash";
  switch (limit.per) {
    case "unit":
      return `the join takes at most ${rows} of each unit, ${chosen}`;
    case "unit-and-key":
      return `the join takes at most ${rows} for each unit and ${limit.column}, ${chosen}`;
    case "value":
      return `the question reads at most ${rows} for each ${limit.column}, ${first}`;
    case "table":
      return `the question reads at most ${rows}, ${first}`;
  }
}
