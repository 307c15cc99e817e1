import { families } from "../aggregates/registry.ts";
import { refusedFunctions } from "../resolve/expressions/refused-functions.ts";
import { rowFunctions } from "../resolve/expressions/row-functions.ts";

/** Forms that the grammar reads without the look of a function in its list. */
const written = ["cast", "coalesce", "extract", "greatest", "least", "nullif"];

/** Functions over the rows of an answer. */
const windows = ["dense_rank", "first_value", "lag", "last_value", "lead", "ntile", "rank", "row_number"];

/** Returns the names of the functions and aggregates that a question may call, sorted, in lower case: words to complete. */
export function functionNames(): readonly string[] {
  const aggregates = Object.values(families).flatMap(({ calls }) => Object.keys(calls));
  const ofRows = [...rowFunctions.keys()].filter((name) => !refusedFunctions.has(name));
  return [...new Set([...aggregates, ...ofRows, ...written, ...windows])].sort();
}

/** The words of a question, in upper case, by the order in which they are mostly written. */
export const keywords: readonly string[] =
  "SELECT FROM WHERE GROUP BY HAVING ORDER LIMIT OFFSET AS AND OR NOT IN IS NULL LIKE ILIKE BETWEEN CASE WHEN THEN ELSE END DISTINCT FILTER OVER PARTITION WITH JOIN LEFT INNER OUTER ON USING UNION ALL ASC DESC TRUE FALSE DATE INTERVAL EXPLAIN PRIVACY DESCRIBE SHOW TABLES EXISTS QUALIFY WITHIN DIFFERENTIAL_PRIVACY OPTIONS ROLLUP CUBE GROUPING SETS".split(
    " ",
  );
