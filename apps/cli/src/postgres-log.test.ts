import { readFileSync } from "node:fs";
import { hasPostgres, type PostgresServer, startPostgres } from "@lethe/testing";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readSeed } from "./seed.ts";
import { inFolder, lethe } from "./testing/command-line.ts";

/* What a server that logs all it is sent writes down of a question: statements, and parameters also of those that fail. */

const policy = `version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
database: { kind: postgres, url_env: LETHE_TEST_LOGGED }
tables:
  visits: { unit: id, max_groups_contributed: 1, columns: { id: { type: integer }, ward: { type: text, categories: [north, south] } } }
budget: { measure: pure, epsilon: 100 }
`;
const question = "SELECT ward, COUNT(*) FROM visits GROUP BY ward";

describe.skipIf(!hasPostgres())("a server's log", () => {
  let server: PostgresServer;
  let admin: pg.Client;
  beforeAll(async () => {
    server = await startPostgres({
      log_min_duration_statement: "0",
      log_parameter_max_length_on_error: "-1",
    });
    admin = new pg.Client({ connectionString: server.url });
    await admin.connect();
    await admin.query(`CREATE TABLE visits (id integer, ward text); INSERT INTO visits VALUES (1, 'north'), (1, 'south'), (2, 'south');
      CREATE ROLE lethe LOGIN; GRANT SELECT ON visits TO lethe`);
    process.env.LETHE_TEST_LOGGED = server.urlOf("lethe");
  });
  afterAll(async () => {
    delete process.env.LETHE_TEST_LOGGED;
    await admin.end();
    await server.stop();
  });

  /** All that was written up to a statement of ours; the log comes through a pipe, so it is waited for. */
  async function written(mark: string): Promise<string> {
    await admin.query(`SELECT 1 AS ${mark}`);
    while (!server.log().includes(`SELECT 1 AS ${mark}`))
      await new Promise((resolve) => setTimeout(resolve, 20));
    return server.log();
  }

  it("shows a seed that is derived, never the secret, and none where the owner says so", () =>
    inFolder({ "lethe.yaml": policy }, async () => {
      expect(await lethe("init")).toMatchObject({ error: "", code: null });
      const secret = readFileSync(".lethe/seed", "utf8").trim();
      const sent = readSeed(".lethe/seed");
      expect(sent).toMatch(/^[0-9a-f]{64}$/);
      expect(await lethe("query", question, "--epsilon", "1")).toMatchObject({ error: "", code: null });
      const shown = await written("after_one");
      expect(shown).toContain(sent);
      expect(shown).not.toContain(secret);

      await admin.query("ALTER ROLE lethe SET log_parameter_max_length = 0");
      expect(await lethe("query", question, "--epsilon", "1")).toMatchObject({ error: "", code: null });
      const after = (await written("after_two")).slice(shown.length);
      expect(after).toContain("dense_rank()");
      expect(after).not.toContain(sent);
      expect(after).not.toContain(secret);
    }));
});
