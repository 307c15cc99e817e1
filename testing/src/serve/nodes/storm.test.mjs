import { describe, expect, test } from "vitest";
import { seededRandom } from "../../crash/seeded-random.mjs";
import { hasPostgres, startPostgres } from "../../postgres/start-postgres.ts";
import { runStorm } from "../storm/run-storm.mjs";
import { makeCluster } from "./start-cluster.mjs";

/*
 * A small storm on four real processes of one service; npm run bench -- serve-nodes has a larger one. It needs the built program (npm run build).
 */

describe.skipIf(!hasPostgres())("four processes of one service", () => {
  test.each(["a file", "PostgreSQL"])(
    "a storm breaks no promise, though they are killed in turns, with the ledger in %s",
    async (ledger) => {
      const server = await startPostgres({ fsync: "on", max_connections: "200" });
      const cluster = await makeCluster(server, 4, seededRandom(5), { ledger });
      try {
        const { found, verified, happened, charges } = await runStorm(
          { questions: 60, clients: 8, every: 25, seed: 23, commands: 0 },
          cluster,
        );
        expect(found).toEqual({ overspent: [], unpaid: [], lost: [], doubled: [], refused: [] });
        expect(verified).toBe(true);
        expect(happened.kills).toBeGreaterThan(0);
        expect(charges.length).toBeGreaterThan(20);
        // The clock did jump: charges lie days apart.
        const times = charges.map(({ at }) => at);
        expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(86_400_000);
        const answered = (by) =>
          happened.calls.filter((call) => call.by === by && call.outcome === "answered");
        for (const by of ["http", "mcp", "wire"]) expect(answered(by).length, by).toBeGreaterThan(0);
      } finally {
        await cluster.close();
        await server.stop();
      }
    },
  );
});
