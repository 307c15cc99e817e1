import type { PostProcessing } from "@lethe/query";
import { compareValues, evaluate, holds, type PostRow } from "./evaluate.ts";

/** HAVING, ORDER BY, OFFSET, LIMIT over released rows: post-processing (Dwork & Roth 2014, Prop. 2.1), so it costs nothing. */
export function postProcess<Row extends PostRow>(rows: readonly Row[], post: PostProcessing): readonly Row[] {
  const { having, orderBy, limit, offset } = post;
  const kept = having ? rows.filter((row) => holds(having, row)) : [...rows];
  // Array.prototype.sort is stable, so rows equal under ORDER BY keep the order of their keys.
  kept.sort((a, b) => {
    for (const { by, descending, nullsFirst } of orderBy) {
      const [x, y] = [evaluate(by, a), evaluate(by, b)];
      if (x === null || y === null) {
        if (x === y) continue;
        return (x === null) === nullsFirst ? -1 : 1;
      }
      const order = compareValues(x, y) ?? 0;
      if (order !== 0) return descending ? -order : order;
    }
    return 0;
  });
  return kept.slice(offset, limit === null ? undefined : offset + limit);
}
