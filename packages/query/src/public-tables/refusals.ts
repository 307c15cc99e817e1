import { refuse } from "../refusals/refuse.ts";

/** Refuses an answer about public tables that is too long. Errors: query.too-large. */
export function tooManyRows(most: number): never {
  return refuse(
    "query.too-large",
    `the answer about public tables has more than ${most} rows`,
    `write LIMIT ${most}, or a WHERE`,
  );
}

/** Refuses a column whose values have no form in an answer. Errors: query.type. */
export function refuseColumnType(name: string): never {
  return refuse(
    "query.type",
    `the column ${JSON.stringify(name)} holds neither numbers, texts, booleans, dates nor timestamps`,
    `write CAST(… AS text)`,
  );
}
