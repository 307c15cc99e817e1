import { refuse } from "../../refusals/refuse.ts";

/** A window where none is answered. */
export function refuseWindow(offset: number | undefined, what = ""): never {
  return refuse(
    "query.unsupported",
    `${what}window functions are answered in subqueries alone, over the rows of each unit`,
    "ask with GROUP BY, or FROM (SELECT …, ROW_NUMBER() OVER (PARTITION BY the_unit ORDER BY x) AS n FROM …) t",
    offset,
  );
}
