import { LetheError } from "@lethe/core";
import type { Query } from "../sql/query.ts";
import type { Dialect } from "./dialect.ts";
import { printQuery } from "./print-query.ts";

/**
 * Prints a whole statement, which follows from question, policy and layout alone: an engine that takes no text so long is not asked, and nothing is charged.
 * Errors: query.too-large for more characters than the dialect's statements may have, and for what else the dialect says is too much.
 */
export function printStatement(query: Query, { name, words, longestStatement, checkSize }: Dialect): string {
  const sql = printQuery(query, words);
  if (longestStatement === null || sql.length <= longestStatement) {
    checkSize?.(sql);
    return sql;
  }
  throw new LetheError(
    "query.too-large",
    `the statement for ${name} has ${sql.length} characters, and ${longestStatement} at most may be sent`,
    { fix: "group by fewer public keys, shorten lists of values, or split the question" },
  );
}
