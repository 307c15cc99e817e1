import { readFileSync, rmSync, writeFileSync } from "node:fs";
import type { Release } from "@lethe/gateway";
import { convexSql, predictConvex } from "@lethe/learn/convex";
import { hasPostgres, type PostgresServer, startPostgres } from "@lethe/testing";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { open } from "./index.ts";
import { inFolder, lethe } from "./testing/command-line.ts";

const policy = `version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
database: { kind: postgres, url_env: LETHE_TEST_DATABASE }
tables:
  visits:
    relation: clinic.visits
    unit: person_id
    max_groups_contributed: 1
    max_rows_contributed_per_group: 2
    columns:
      person_id: { type: integer }
      ward: { type: text, categories: [north, south] }
      cost: { type: number, bounds: [0, 100] }
budget: { measure: approximate, epsilon: 100, delta: 1e-6 }
`;
const byWard = "SELECT ward, COUNT(*) AS visits, AVG(cost) AS cost FROM visits GROUP BY ward";

describe.skipIf(!hasPostgres())("a policy over PostgreSQL", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
    const admin = new pg.Client({ connectionString: server.url });
    await admin.connect();
    await admin.query("CREATE SCHEMA clinic");
    await admin.query("CREATE TABLE clinic.visits (person_id bigint, ward varchar(20), cost numeric(8, 2))");
    await admin.query(
      "INSERT INTO clinic.visits SELECT i % 500, CASE WHEN i % 500 < 200 THEN 'north' ELSE 'south' END, 31337 % (i + 1) % 90 FROM generate_series(1, 1000) AS i",
    );
    // The same with one person more, and with three.
    for (const more of [1, 3]) {
      await admin.query(`CREATE TABLE clinic.more_${more} AS TABLE clinic.visits`);
      await admin.query(
        `INSERT INTO clinic.more_${more} SELECT 9000 + i, 'south', 5 FROM generate_series(1, ${more}) AS i`,
      );
    }
    await admin.query("CREATE ROLE lethe LOGIN");
    await admin.query("GRANT USAGE ON SCHEMA clinic TO lethe");
    await admin.query("GRANT SELECT ON ALL TABLES IN SCHEMA clinic TO lethe");
    await admin.end();
    process.env.LETHE_TEST_DATABASE = server.urlOf("lethe");
  });
  afterAll(async () => {
    delete process.env.LETHE_TEST_DATABASE;
    await server.stop();
  });

  it("gives synthetic rows, a boosting and a network, of units with several rows", () =>
    inFolder(
      {
        // Every question counts the same rows of a unit, whatever its keys.
        "lethe.yaml": policy.replace("    max_rows", "    limit: rows-before-filter\n    max_rows"),
        "table.yaml": "version: 1\ntable: visits\nmethod: mst\ncolumns: [ward, cost]\nbins: { cost: 4 }\n",
        "wide.yaml":
          "version: 1\ntable: visits\nmethod: aim-grem\ntarget: ward\ncolumns: [ward, cost]\nbins: 4\n",
        "cost.yaml": "version: 1\ntable: visits\nmodel: boosting\ntarget: cost\nfeatures: [ward]\n",
        "ward.yaml":
          "version: 1\ntable: visits\nmodel: network\ntarget: ward\nfeatures: [cost]\nunits: 500\nsampler: full\nsteps: 30\n",
      },
      async () => {
        await lethe("init");
        const price = ["--epsilon", "20", "--delta", "1e-7"];
        const made = await lethe("synthesize", "table.yaml", ...price, "--out", "visits.csv");
        expect(made).toMatchObject({ error: "", code: null });
        const [head, ...rows] = readFileSync("visits.csv", "utf8").trimEnd().split("\n");
        expect(head).toBe("ward,cost");
        // σ is below 2 rows: off by 40 less than once in 1e80.
        expect(Math.abs(rows.length - 1000)).toBeLessThan(40);
        const north = rows.filter((row) => row.startsWith("north,")).length;
        expect(Math.abs(north - 400)).toBeLessThan(40);

        // Residuals are released too, of units with two rows each, and verify derives them again.
        const wide = await lethe(
          "synthesize",
          "wide.yaml",
          ...price,
          "--out",
          "wide.csv",
          "--release",
          "wide.json",
        );
        expect(wide).toMatchObject({ error: "", code: null });
        const drawn = readFileSync("wide.csv", "utf8").trimEnd().split("\n");
        expect(Math.abs(drawn.length - 1001)).toBeLessThan(40);
        expect(Math.abs(drawn.filter((row) => row.startsWith("north,")).length - 400)).toBeLessThan(40);
        const known = ["--policy", "lethe.yaml", "--public-key", ".lethe/ledger/ledger.pub"];
        const { out: told, error } = await lethe("verify", "wide.json", ...known);
        expect(error).toBe("");
        expect(told).toContain("residuals were released, whose noises fit the session");
        expect(told).not.toContain("FAILED");

        const trained = await lethe("train", "cost.yaml", ...price, "--format", "json");
        expect(trained).toMatchObject({ error: "", code: null });
        const { release } = JSON.parse(trained.out);
        const [shape] = release.result.shapes;
        const weight = (ward: string): number =>
          shape.bins[shape.groups.findIndex((group: readonly unknown[]) => group.includes(ward))].weight;
        expect(Math.abs(weight("north") - 400)).toBeLessThan(40);
        expect(Math.abs(weight("south") - 600)).toBeLessThan(40);

        const network = await lethe("train", "ward.yaml", ...price, "--out", "ward.json");
        expect(network).toMatchObject({ error: "", code: null });
        const checked = await lethe("verify", "ward.json", "--policy", "lethe.yaml");
        expect(checked.error).toBe("");
        expect(checked.out).toContain("the event is 30 steps by full");
      },
    ));

  it("trains a convex model, of units with several rows, under both adjacencies, and it verifies", () =>
    inFolder({}, async () => {
      for (const adjacency of ["add-or-remove-one", "replace-one"]) {
        const descent = adjacency === "add-or-remove-one";
        const text = `version: 1\ntable: visits\nmodel: convex\ntarget: ward\nfeatures: [cost]\nunits: 500\nalgorithm: ${descent ? "descent" : "localization"}\n`;
        writeFileSync("ward.yaml", text);
        const own = policy
          .replace("add-or-remove-one", adjacency)
          .replace("    max_rows", "    limit: rows-before-filter\n    max_rows");
        writeFileSync("lethe.yaml", own);
        await lethe("init");
        const price = ["--epsilon", "40", "--delta", "1e-7"];
        const trained = await lethe("train", "ward.yaml", ...price, "--out", `${adjacency}.json`);
        expect(trained).toMatchObject({ error: "", code: null });
        const { result } = JSON.parse(readFileSync(`${adjacency}.json`, "utf8")).release;
        // Of 500 people 300 are in the south, which is the second category.
        expect(predictConvex(result, { cost: 50 }).prediction).toBe("south");
        expect(convexSql(result)).toContain('"cost"');
        const checked = await lethe(
          ...["verify", `${adjacency}.json`, "--policy", "lethe.yaml", "--public-key"],
          ".lethe/ledger/ledger.pub",
        );
        expect(checked).toMatchObject({ error: "", code: null });
        rmSync(".lethe", { recursive: true });
      }
    }));

  it("is asked from the command line, and the release verifies", () =>
    inFolder({ "lethe.yaml": policy }, async () => {
      expect(await lethe("init")).toMatchObject({ code: null });
      expect((await lethe("explain", byWard, "--epsilon", "2")).code).toBeNull();
      const asked = await lethe(
        "query",
        byWard,
        "--epsilon",
        "20",
        "--format",
        "json",
        "--out",
        "release.json",
      );
      expect(asked).toMatchObject({ error: "", code: null });
      const { rows } = JSON.parse(asked.out) as Release;
      const visits = Object.fromEntries(rows.map(([ward, count]) => [String(ward), count]));
      expect(Object.keys(visits)).toEqual(expect.arrayContaining(["north", "south"]));
      const value = (ward: string): number => (visits[ward] as { readonly value: number }).value;
      // Noise of scale 2 · 2 / 10 at most: off by 20 less than once in e^50.
      expect(Math.abs(value("north") - 400)).toBeLessThan(20);
      expect(Math.abs(value("south") - 600)).toBeLessThan(20);
      const verified = await lethe(
        ...["verify", "release.json", "--policy", "lethe.yaml", "--public-key", ".lethe/ledger/ledger.pub"],
      );
      expect(verified).toMatchObject({ error: "", code: null });
    }));

  it("is asked from TypeScript; what is wrong with the database is said before anything is charged", () =>
    inFolder({ "lethe.yaml": policy }, async () => {
      await lethe("init");
      const house = await open("lethe.yaml");
      const release = await house.query("SELECT COUNT(DISTINCT person_id) FROM visits", { epsilon: 5 });
      expect(Math.abs((release.rows[0]![0] as { readonly value: number }).value - 500)).toBeLessThan(20);
      await house.close();
      expect(await lethe("import", "visits.csv")).toMatchObject({ code: "cli.usage" });
      const spent = (await lethe("budget", "--format", "json")).out;
      for (const [was, is, code] of [
        ["cost:", "price:", "engine.schema"],
        ["clinic.visits", "clinic.visit", "engine.source"],
        ["LETHE_TEST_DATABASE", "LETHE_UNSET", "engine.source"],
      ] as const) {
        writeFileSync("lethe.yaml", policy.replace(was, is));
        const question = `SELECT COUNT(${was === "cost:" ? "price" : "cost"}) FROM visits`;
        expect(await lethe("query", question, "--epsilon", "1"), is).toMatchObject({ code });
      }
      writeFileSync("lethe.yaml", policy);
      expect((await lethe("budget", "--format", "json")).out).toBe(spent);
    }));

  it("is audited: its own tables, and a question between neighbours, at no charge", () =>
    inFolder({ "lethe.yaml": policy }, async () => {
      await lethe("init");
      const spent = (await lethe("budget", "--format", "json")).out;
      const own = await lethe("audit", "--only", "policy");
      expect(own).toMatchObject({ error: "", code: null });
      expect(own.out).toMatch(/ok +visits .* 0 of 5; refused: none/);
      const against = (relation: string): ReturnType<typeof lethe> => {
        writeFileSync("other.yaml", policy.replace("clinic.visits", relation));
        return lethe("audit", "--question", byWard, "--neighbour", "other.yaml");
      };
      const one = await against("clinic.more_1");
      expect(one).toMatchObject({ error: "", code: null });
      expect(one.out).toMatch(/ok +the question .*differences: 0 /);
      const three = await against("clinic.more_3");
      expect(three.code).toBe("audit.finding");
      const finding = /FINDING +the question .*SUM\(cost − lowest\) and .*: ℓ1 (\d+) > (\d+);/;
      const [, moved, paid] = finding.exec(three.out) ?? [];
      expect(Number(moved)).toBe(1.5 * Number(paid));
      // What is said of one side alone names where it lies, and is no finding.
      expect(await against("clinic.gone")).toMatchObject({
        code: "engine.source",
        error: expect.stringContaining("on the neighbour: "),
      });
      expect((await lethe("budget", "--format", "json")).out).toBe(spent);
    }));
});
