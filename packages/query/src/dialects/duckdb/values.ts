import type { SqlType, ValueWriter } from "../../sql/value-writer.ts";
import type { QueryWords } from "../print-query.ts";
import { standardValues } from "../standard-values.ts";

export const types: Readonly<Record<SqlType, string>> = {
  double: "DOUBLE",
  integer: "BIGINT",
  wide: "HUGEINT",
  text: "VARCHAR",
  boolean: "BOOLEAN",
};

export const words: QueryWords = {
  as: "AS MATERIALIZED",
  fence: "",
  beside: (value, name) => ` CROSS JOIN LATERAL (SELECT ${value} AS v) AS ${name}`,
};

export const write: ValueWriter = standardValues(types, words);
