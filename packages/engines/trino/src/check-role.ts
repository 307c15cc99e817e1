import { LetheError } from "@lethe/core";
import type { AskCatalog } from "./check-server.ts";
import { TrinoFailure } from "./client/trino-failure.ts";
import { quoteName, quoteRelation } from "./quote.ts";
import type { TrinoRelation } from "./relation-name.ts";

/** What a server answers where the role, or the connector, does not allow a statement. */
const refusals: ReadonlySet<string> = new Set(["PERMISSION_DENIED", "NOT_SUPPORTED"]);

/**
 * Refuses a role that can write to a relation, or make tables and views beside it. Trino shows nobody all rights of a role, but it checks them before it plans: EXPLAIN
 * (TYPE VALIDATE) of a statement that writes is refused for a role that may not, and runs nothing. Rights to drop, to rename and to grant are not checked so; the owner takes them
 * away. A view has no rows to write. Errors: engine.source; rejects with whatever else the server says.
 */
export async function checkRole(
  ask: AskCatalog,
  table: string,
  relation: TrinoRelation,
  isView: boolean,
): Promise<void> {
  const name = quoteRelation(relation);
  const beside = quoteRelation([relation[0], relation[1], "lethe_may_not_make_this"]);
  const writes: readonly (readonly [said: string, sql: string])[] = [
    ["make tables beside", `CREATE TABLE ${beside} AS SELECT 1 AS ${quoteName("a")}`],
    ["make views beside", `CREATE VIEW ${beside} AS SELECT 1 AS ${quoteName("a")}`],
    ...(isView
      ? []
      : ([
          ["insert into", `INSERT INTO ${name} SELECT * FROM ${name}`],
          ["delete from", `DELETE FROM ${name}`],
        ] as const)),
  ];
  const allowed = await Promise.all(
    writes.map(async ([said, sql]) => ((await isAllowed(ask, sql)) ? said : null)),
  );
  const said = allowed.find((one) => one !== null);
  if (said === undefined || said === null) return;
  throw new LetheError("engine.source", `the user of Trino may ${said} the relation of ${table}`, {
    fix: "connect as a user that may only read: let Trino's access control give it SELECT on the tables, and nothing else",
    fields: { table },
  });
}

async function isAllowed(ask: AskCatalog, sql: string): Promise<boolean> {
  try {
    await ask(`EXPLAIN (TYPE VALIDATE) ${sql}`);
    return true;
  } catch (error) {
    if (error instanceof TrinoFailure && refusals.has(error.errorName)) return false;
    throw error;
  }
}
