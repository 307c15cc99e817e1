import type { SqlType, ValueWriter } from "../../sql/value-writer.ts";
import type { QueryWords } from "../print-query.ts";
import { standardValues } from "../standard-values.ts";

export const types: Readonly<Record<SqlType, string>> = {
  double: "double precision",
  integer: "bigint",
  wide: "numeric",
  text: "text",
  boolean: "boolean",
};

export const words: QueryWords = {
  as: "AS MATERIALIZED",
  // PostgreSQL copies the columns of a subquery to where they are named, unless an OFFSET stands in its way.
  // OFFSET 0 would be a cast of 0 until the subquery is planned, and PostgreSQL starts no workers for rows that may be skipped.
  fence: " OFFSET bigint '0'",
  beside: (value, name) => ` CROSS JOIN LATERAL (SELECT ${value} AS v OFFSET 0) AS ${name}`,
};

export const write: ValueWriter = standardValues(types, words);
