import { type Dashboard, type DashboardStore, foldName, mostDashboards, mostReceived } from "@lethe/serve";
import type { SessionTableParts } from "./session-table.ts";

/** Dashboards in the service's file: each is one text, and the people who may read it are listed beside. */
export function dashboardTable({
  prepare,
  within,
}: Pick<SessionTableParts, "prepare" | "within">): DashboardStore {
  const read = (rows: readonly { readonly content: string }[]): readonly Dashboard[] =>
    // What was kept before dashboards had versions is of the first.
    rows.map(({ content }) => ({ version: 1, ...JSON.parse(content) }) as Dashboard);
  const byId = (id: string): Dashboard | null =>
    read(prepare("SELECT content FROM dashboards WHERE id = ?").all(id))[0] ?? null;
  const remove = (id: string): void => {
    prepare("DELETE FROM dashboard_readers WHERE dashboard = ?").run(id);
    prepare("DELETE FROM dashboards WHERE id = ?").run(id);
  };
  return {
    visibleTo: async (name) =>
      within("BEGIN", () => {
        const folded = foldName(name);
        const own = prepare("SELECT content FROM dashboards WHERE person = ? ORDER BY changed_at DESC, id");
        const received = prepare(
          "SELECT content FROM dashboards JOIN dashboard_readers ON dashboard = id WHERE reader = ? AND person <> ? ORDER BY changed_at DESC, id LIMIT ?",
        );
        return [...read(own.all(folded)), ...read(received.all(folded, folded, mostReceived))];
      }),
    byId: async (id) => within("BEGIN", () => byId(id)),
    put: async (dashboard) =>
      within("BEGIN IMMEDIATE", () => {
        const { id, changedAt, readers, version } = dashboard;
        const person = foldName(dashboard.person);
        if ((byId(id)?.version ?? 0) !== version - 1) return "changed meanwhile";
        remove(id);
        const { count } = prepare("SELECT COUNT(*) AS count FROM dashboards WHERE person = ?").get(
          person,
        ) as { count: number };
        if (count >= mostDashboards) return "one too many";
        prepare("INSERT INTO dashboards VALUES (?, ?, ?, ?)").run(
          id,
          person,
          changedAt,
          JSON.stringify(dashboard),
        );
        for (const reader of new Set(readers.map(foldName)))
          prepare("INSERT INTO dashboard_readers VALUES (?, ?)").run(id, reader);
        return "kept";
      }),
    remove: async (id) => within("BEGIN IMMEDIATE", () => remove(id)),
  };
}
