import { LetheError } from "@lethe/core";
import type { DatabasePolicy } from "@lethe/query";

/** The URL that the policy's variable holds; null where it names none. Errors: engine.source for an unset variable. */
export function databaseUrl({ urlVariable }: DatabasePolicy): string | null {
  if (urlVariable === null) return null;
  const url = process.env[urlVariable];
  if (url !== undefined && url !== "") return url;
  throw new LetheError("engine.source", `the environment variable ${urlVariable} holds no URL`, {
    fix: `export ${urlVariable}=postgres://role@host/database`,
    fields: { variable: urlVariable },
  });
}
