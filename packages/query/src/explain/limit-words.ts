import { plural } from "../refusals/plural.ts";
import type { RowLimit } from "../relations/relation.ts";

/** How many rows of a table are read at most, and which. */
export function limitWords(limit: RowLimit): string {
  const rows = plural(limit.rows, "row");
  const first = "the first in order of what is read of them";
  const least = "those of least keyed hash";
  switch (limit.per) {
    case "unit":
      return `${rows} of each unit are joined, ${least}`;
    case "unit-and-key":
      return `${rows} of each unit and ${limit.column} are joined, ${least}`;
    case "value":
      return `${rows} of each ${limit.column} are read, ${first}`;
    case "table":
      return `${rows} are read, ${first}`;
  }
}
