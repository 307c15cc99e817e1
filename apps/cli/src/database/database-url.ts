import { LetheError } from "@lethe/core";
import type { DatabaseKind, DatabasePolicy } from "@lethe/query";

/** The URL that the policy's variable holds; null where it names none. Errors: engine.source for an unset variable. */
export function databaseUrl({ kind, urlVariable }: DatabasePolicy): string | null {
  if (urlVariable === null) return null;
  const url = process.env[urlVariable];
  if (url !== undefined && url !== "") return url;
  throw new LetheError("engine.source", `the environment variable ${urlVariable} holds no URL`, {
    fix: `export ${urlVariable}=${forms[kind]}`,
    fields: { variable: urlVariable },
  });
}

/** The URL of a database that has no other way to be named. Errors: those of databaseUrl. */
export function requiredUrl(database: DatabasePolicy): string {
  const url = databaseUrl(database);
  if (url !== null) return url;
  throw new LetheError("engine.source", "the policy names no environment variable for the database's URL", {
    fix: `name one below database: url_env: LETHE_DATABASE_URL, which holds ${forms[database.kind]}`,
  });
}

/** How the URL of each kind of server is written. */
const forms: Readonly<Record<DatabaseKind, string>> = {
  postgres: "postgres://role@host/database",
  trino: "https://user@host:8443/catalog/schema",
};
