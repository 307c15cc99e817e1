import { type ErrorCode, LetheError } from "@lethe/core";

const fix = "ask what a catalog tells of tables and columns: SHOW TABLES and DESCRIBE a_table tell it too";

/** Refuses what the catalog does not know, by its name. Errors: query.unsupported. */
export function unsupported(what: string, offset?: number): never {
  return refused("query.unsupported", `the catalog here does not know ${what}`, offset);
}

/** Refuses a query. Errors: the code. */
export function refused(code: ErrorCode, message: string, offset?: number): never {
  throw new LetheError(code, message, offset === undefined || offset < 0 ? { fix } : { fix, offset });
}
