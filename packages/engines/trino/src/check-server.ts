import { LetheError } from "@lethe/core";
import type { TrinoRow } from "./client/trino-page.ts";

/** The oldest version on which the dialect's text was compared with the other engines. */
export const oldestVersion = 476;

/** Runs a small statement of the catalog and returns its rows. */
export type AskCatalog = (sql: string) => Promise<readonly TrinoRow[]>;

/** Whether the dialect's text means on this server what it should: 476 or later, also as 476-e.3 of others that build Trino. Errors: engine.source. */
export async function checkServer(ask: AskCatalog): Promise<void> {
  const [row] = await ask("SELECT version()");
  const [, digits] = /^(\d{1,6})(?:[^\d].*)?$/.exec(String(row?.[0])) ?? [];
  if (digits === undefined)
    throw new LetheError("engine.source", "the server states no version of Trino", {
      fix: `ask a Trino of version ${oldestVersion} or later`,
    });
  const version = Number(digits);
  if (!(version >= oldestVersion))
    throw new LetheError("engine.source", `the server is Trino ${version}`, {
      fix: `ask one of version ${oldestVersion} or later`,
      fields: { version },
    });
}
