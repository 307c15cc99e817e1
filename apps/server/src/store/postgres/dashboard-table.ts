import {
  type Dashboard,
  type DashboardPut,
  type DashboardStore,
  foldName,
  mostDashboards,
  mostReceived,
} from "@lethe/serve";
import { schemaName } from "./schema.ts";
import type { Run, Tables } from "./tables.ts";

/** Dashboards in the service's database: each is one text, and the people who may read it are listed beside. */
export function dashboardTable(tables: Tables): DashboardStore {
  const read = async (sql: string, ...values: readonly unknown[]): Promise<readonly Dashboard[]> => {
    const rows = await tables.run<{ readonly content: string }>(
      `SELECT content FROM ${schemaName}.dashboards ${sql}`,
      values,
    );
    return rows.map(({ content }) => JSON.parse(content) as Dashboard);
  };
  const newestFirst = 'ORDER BY changed_at DESC, id COLLATE "C"';
  return {
    async visibleTo(name) {
      const folded = foldName(name);
      const own = await read(`WHERE person = $1 ${newestFirst}`, folded);
      const received = await read(
        `JOIN ${schemaName}.dashboard_readers ON dashboard = id WHERE reader = $1 AND person <> $1 ${newestFirst} LIMIT $2`,
        folded,
        mostReceived,
      );
      return [...own, ...received];
    },
    byId: async (id) => (await read("WHERE id = $1", id))[0] ?? null,
    put: (dashboard) => tables.within((run) => put(run, dashboard)),
    async remove(id) {
      await tables.run(`DELETE FROM ${schemaName}.dashboards WHERE id = $1`, [id]);
    },
  };
}

async function put(run: Run, dashboard: Dashboard): Promise<DashboardPut> {
  const { id, changedAt, readers, version } = dashboard;
  const person = foldName(dashboard.person);
  // Those of one person are counted by one process after another.
  await run("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [`${schemaName} dashboards ${person}`]);
  const [before] = await run<{ readonly version: number }>(
    `SELECT (content::json ->> 'version')::float8 AS version FROM ${schemaName}.dashboards WHERE id = $1`,
    [id],
  );
  if ((before?.version ?? 0) !== version - 1) return "changed meanwhile";
  await run(`DELETE FROM ${schemaName}.dashboards WHERE id = $1`, [id]);
  const [counted] = await run<{ readonly count: number }>(
    `SELECT COUNT(*)::float8 AS count FROM ${schemaName}.dashboards WHERE person = $1`,
    [person],
  );
  if ((counted?.count ?? 0) >= mostDashboards) return "one too many";
  await run(`INSERT INTO ${schemaName}.dashboards VALUES ($1, $2, $3, $4)`, [
    id,
    person,
    changedAt,
    JSON.stringify(dashboard),
  ]);
  await run(
    `INSERT INTO ${schemaName}.dashboard_readers SELECT $1, reader FROM unnest($2::text[]) AS each (reader)`,
    [id, [...new Set(readers.map(foldName))]],
  );
  return "kept";
}
