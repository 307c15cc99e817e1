import { openPostgres } from "@lethe/engine-postgres";
import { describe } from "vitest";
import { rowsContract } from "../contracts/rows-contract.ts";
import { names, seed, type Where } from "../differential-data.ts";
import { lendTable } from "./lent-table.ts";
import { serverWith } from "./server-with.ts";
import { hasPostgres } from "./start-postgres.ts";

const where: Where = { policy: "database: { kind: postgres }", table: "relation: public.people" };

const native: Readonly<Record<string, string>> = {
  ...{ pid: "text", sector: "text", town: "varchar", member: "boolean" },
  ...{ since: "date", born: "timestamptz", seen: "timestamp" },
};
describe.skipIf(!hasPostgres())("on a server", () => {
  const own = serverWith("CREATE ROLE reader LOGIN; SET timezone = 'UTC'");
  rowsContract(
    "PostgreSQL",
    where,
    async ({ policy, types, rows, maxValues }) => {
      const typeOf = (name: string): string => (types === "text" ? "text" : (native[name] ?? "float8"));
      const columns = names.map((name) => ({ name, type: typeOf(name) }));
      await lendTable(own.admin, "people", columns, rows);
      const logged: string[] = [];
      const engine = openPostgres({
        policy,
        url: own.server.urlOf("reader"),
        seed,
        log: (detail) => logged.push(detail),
        ...(maxValues === undefined ? {} : { limits: { maxValues } }),
      });
      return { engine, logged, layouts: [await engine.storage("people")], close: () => engine.close() };
    },
    3,
  );
});
