import { type Dashboard, type DashboardStore, foldName, mostDashboards, mostReceived } from "@lethe/serve";
import type { SessionTableParts } from "./session-table.ts";

/** Dashboards in the service's file: each is one text, and the people who may read it are listed beside. */
export function dashboardTable({
  prepare,
  within,
}: Pick<SessionTableParts, "prepare" | "within">): DashboardStore {
  const read = (rows: readonly { readonly content: string }[]): readonly Dashboard[] =>
    rows.map(({ content }) => JSON.parse(content) as Dashboard);
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
    byId: async (id) =>
      within("BEGIN", () => read(prepare("SELECT content FROM dashboards WHERE id = ?").all(id))[0] ?? null),
    put: async (dashboard) =>
      within("BEGIN IMMEDIATE", () => {
        const { id, changedAt, readers } = dashboard;
        const person = foldName(dashboard.person);
        remove(id);
        const { count } = prepare("SELECT COUNT(*) AS count FROM dashboards WHERE person = ?").get(
          person,
        ) as { count: number };
        if (count >= mostDashboards) return false;
        prepare("INSERT INTO dashboards VALUES (?, ?, ?, ?)").run(
          id,
          person,
          changedAt,
          JSON.stringify(dashboard),
        );
        for (const reader of new Set(readers.map(foldName)))
          prepare("INSERT INTO dashboard_readers VALUES (?, ?)").run(id, reader);
        return true;
      }),
    remove: async (id) => within("BEGIN IMMEDIATE", () => remove(id)),
  };
}
