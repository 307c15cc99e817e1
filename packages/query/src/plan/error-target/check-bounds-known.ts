import { writeSql } from "../../expressions/write-sql.ts";
import { refuse } from "../../refusals/refuse.ts";
import type { ResolvedQuery } from "../../resolve/names/resolved-query.ts";
import { learnedArguments } from "../learned-bounds/learned-arguments.ts";

/** How far off a sum is hangs on its bounds: no target is reached within those that are yet to be learned. Errors: query.option. */
export function checkBoundsKnown(question: ResolvedQuery): void {
  const [learned] = learnedArguments(question);
  if (!learned) return;
  const sql = writeSql(learned.argument);
  refuse(
    "query.option",
    `the target error depends on the bounds of ${sql}, which are yet to be learned`,
    `state epsilon instead, or the bounds of ${sql}: contribution_bounds_per_row => (0, 100)`,
  );
}
