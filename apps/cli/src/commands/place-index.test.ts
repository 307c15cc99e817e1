import { randomBytes } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import type { Release } from "@lethe/gateway";
import { describe, expect, it, vi } from "vitest";
import { standInForTrino } from "../../../../testing/src/trino/stand-in-for-trino.ts";
import { inFolder, lethe } from "../testing/command-line.ts";

const visitsCsv = `who,cost,ward\n${Array.from(
  { length: 400 },
  (_, i) => `p${(i * i) % 37},${(i * 7) % 50},${i % 3 === 0 ? "north" : "south"}`,
).join("\n")}\n`;

async function setUp(): Promise<void> {
  const words = [
    "--bounds",
    "cost=0..50",
    "--categories",
    "ward=north,south",
    "--max-groups",
    "2",
    "--max-rows",
    "2",
  ];
  const made = await lethe("init", "visits.csv", "--unit", "who", ...words, "--epsilon", "1000");
  expect(made).toMatchObject({ error: "", code: null });
  const policy = readFileSync("lethe.yaml", "utf8");
  writeFileSync(
    "lethe.yaml",
    policy.replace(/^(\s+)max_groups_contributed/m, "$1limit: rows-before-filter\n$1max_groups_contributed"),
  );
  expect(await lethe("import")).toMatchObject({ error: "", code: null });
}

const question = "SELECT ward, COUNT(*), COUNT(DISTINCT who) FROM visits WHERE cost < 40 GROUP BY ward";

/** At this price noise is 0 but for once in e^40. */
async function counts(): Promise<unknown> {
  const asked = await lethe("query", question, "--epsilon", "320", "--format", "json");
  expect(asked).toMatchObject({ error: "", code: null });
  const { rows } = JSON.parse(asked.out) as Release;
  return rows.map((row) =>
    row.map((cell) => (cell !== null && typeof cell === "object" && "value" in cell ? cell.value : cell)),
  );
}

describe("lethe index", () => {
  it("orders rows once; answers stay, explain and status say what is used", () =>
    inFolder({ "visits.csv": visitsCsv }, async () => {
      await setUp();
      expect((await lethe("index", "status")).out).toMatch(
        /^visits: none; questions order the rows themselves/,
      );
      const before = await counts();
      expect((await lethe("explain", question, "--epsilon", "1")).out).toMatch(
        /\n\nvisits is read from its import, which froze the rows of its file\nIndex of visits: none; [^\n]*: lethe index build makes one$/,
      );
      const built = await lethe("index", "build");
      expect(built).toMatchObject({ error: "", code: null });
      expect(built.out).toMatch(/^visits: 400 rows are in the index/);
      expect((await lethe("index", "status")).out).toBe("visits: built; questions use it");
      const explained = await lethe("explain", question, "--epsilon", "1");
      expect(explained.out).toMatch(/at most 4 rows per unit, before the filter/);
      expect(explained.out).toMatch(/Index of visits: built/);
      expect(await counts()).toEqual(before);
      const asked = await lethe("query", question, "--epsilon", "1", "--out", "release.json", "--verbose");
      expect(asked.out).toMatch(/at most 4 rows of the table, chosen before the filter/);
      // What the index holds is not for releases, nor that there is one.
      expect(readFileSync("release.json", "utf8")).not.toMatch(/place of this row|hasPlaces|places/);
      const verified = await lethe(
        ...["verify", "release.json", "--policy", "lethe.yaml", "--public-key", ".lethe/ledger/ledger.pub"],
      );
      expect(verified).toMatchObject({ error: "", code: null });
      expect((await lethe("import")).out).toMatch(/lethe index build/);
      expect((await lethe("index", "status")).out).toMatch(/^visits: none/);
    }));

  it("says of each table what its index is worth, before an import, after an edit, under another seed, and where none is needed", () =>
    inFolder({ "visits.csv": visitsCsv, "codes.csv": "code\na\n" }, async () => {
      await setUp();
      const status = async (...more: string[]): Promise<string> =>
        (await lethe("index", "status", ...more)).out;
      const policy = readFileSync("lethe.yaml", "utf8");
      const codes = "  codes: { file: codes.csv, unit: row, columns: { code: { type: text } } }\n";
      writeFileSync("lethe.yaml", policy.replace(/^tables:\n/m, `tables:\n${codes}`));
      expect((await status()).split("\n")).toEqual([
        "codes: its rows do not name their units: there is nothing to order (used where bound is rows-before-filter)",
        "visits: none; questions order the rows themselves, with the same answers: lethe index build makes one",
      ]);
      expect(await status("--table", "visits")).toMatch(/^visits: none; [^\n]*$/);

      writeFileSync("lethe.yaml", policy.replace("[0, 50]", "[0, 60]"));
      expect(await status()).toMatch(/^visits: the policy changed since the import: run lethe import, then/);
      writeFileSync("lethe.yaml", policy);
      expect((await lethe("index", "build", "--table", "visits")).code).toBeNull();
      writeFileSync(".lethe/seed", `${randomBytes(32).toString("hex")}\n`);
      expect(await status()).toMatch(/^visits: built under another secret seed, so questions do not use it/);
      rmSync(".lethe/snapshots", { recursive: true });
      expect(await status()).toBe("visits: not imported: run lethe import, then lethe index build");
    }));

  it("is one of the copies where tables lie in PostgreSQL: explain and status name the commands that make it", () =>
    inFolder({}, async () => {
      const postgres = `version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
database: { kind: postgres, url_env: LETHE_TEST_NONE }
tables:
  visits: { unit: who, limit: rows-before-filter, columns: { who: { type: text }, ward: { type: text } } }
budget: { measure: pure, epsilon: 5 }
`;
      writeFileSync("lethe.yaml", postgres);
      await lethe("init");
      const words =
        /^visits: none; questions on PostgreSQL order all rows themselves, .*: run lethe import, which copies the tables, then lethe index build$/;
      expect((await lethe("index", "status")).out).toMatch(words);
      const explained = await lethe("explain", "SELECT COUNT(*) FROM visits", "--epsilon", "1");
      expect(explained.out).toMatch(
        /\n\nvisits is read as it lies, in PostgreSQL\nIndex of visits: none; questions on PostgreSQL order all rows themselves, which takes tens of times as long as the plain query: run lethe import, which copies the tables, then lethe index build$/,
      );
      writeFileSync("lethe.yaml", postgres.replace("limit: rows-before-filter, ", ""));
      const limited = (await lethe("explain", "SELECT COUNT(*) FROM visits", "--epsilon", "1")).out;
      expect(limited).not.toContain("Index");
      expect(limited).toMatch(
        /\n\nvisits is read as it lies, in PostgreSQL\nImport of visits: none; questions on PostgreSQL sort all rows .* about 20 times as long .*: run lethe import, which copies the tables for questions to read$/,
      );
      expect(await lethe("index", "build", "--table", "visits")).toMatchObject({
        code: "engine.not-imported",
        error: expect.stringContaining("lethe import --table visits"),
      });
    }));

  it("is a part of the snapshot where tables lie in Trino: explain and status say which is read, and index build names the import", () =>
    inFolder({}, async () => {
      const trino = `version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
database: { kind: trino, url_env: LETHE_TEST_NONE }
tables:
  visits: { unit: who, limit: rows-before-filter, columns: { who: { type: text }, ward: { type: text } } }
  stays: { unit: who, columns: { who: { type: text }, ward: { type: text } } }
budget: { measure: pure, epsilon: 5 }
`;
      writeFileSync("lethe.yaml", trino);
      await lethe("init");
      const explained = async (table: string): Promise<string> =>
        (await lethe("explain", `SELECT COUNT(*) FROM ${table}`, "--epsilon", "1")).out;
      const status = async (): Promise<string> => (await lethe("index", "status", "--table", "visits")).out;
      expect(await explained("visits")).toMatch(
        /\n\nvisits is read as it lies, in Trino\nIndex of visits: none; questions on Trino order all rows.*: run lethe import, which writes snapshots/,
      );
      expect(await explained("stays")).toMatch(
        /\n\nstays is read as it lies, in Trino\nImport of stays: none; questions on Trino group all rows by unit.*: run lethe import, which writes snapshots/,
      );
      expect(await status()).toMatch(/^visits: none; questions on Trino/);
      expect(await lethe("index", "build")).toMatchObject({
        code: "cli.usage",
        error: expect.stringContaining("run lethe import"),
      });

      const tables = async (): Promise<string> => (await lethe("tables")).out;
      expect(await tables()).not.toContain("Questions read");

      const server = await standInForTrino({ who: "varchar", ward: "varchar" });
      vi.stubEnv("LETHE_TEST_NONE", server.urlOf("lethe", "lake/clinic"));
      vi.stubEnv("LETHE_TEST_NONE_OWNER", server.urlOf("owner", "lake/lethe"));
      try {
        expect(await lethe("import", "--table", "visits")).toMatchObject({ error: "", code: null });
      } finally {
        vi.unstubAllEnvs();
        await server.stop();
      }
      const { relation, asOf } = JSON.parse(readFileSync(".lethe/trino/visits.json", "utf8"));
      const snapshot = relation.join(".");
      const read = `visits is read from its snapshot in Trino, ${snapshot}, as of ${asOf}: lethe import makes a newer one`;
      expect(await explained("visits")).toMatch(
        new RegExp(`\n\n${read}\nIndex of visits: in the snapshot; questions use it$`),
      );
      const json = await lethe(
        "explain",
        "SELECT COUNT(*) FROM visits",
        "--epsilon",
        "1",
        "--format",
        "json",
      );
      const reading = { table: "visits", from: "snapshot", snapshot, asOf, order: "built" };
      expect(JSON.parse(json.out).reads).toMatchObject([reading]);
      expect(await explained("stays")).toMatch(
        /\n\nstays cannot be read, since it was not imported and other tables were: run lethe import$/,
      );
      expect(await status()).toBe("visits: in the snapshot; questions use it");
      expect(await tables()).toMatch(
        new RegExp(
          `\n\nQuestions read snapshots in Trino: visits: ${snapshot} as of ${asOf}, stays: not imported\\. lethe import makes newer ones$`,
        ),
      );

      const seed = readFileSync(".lethe/seed");
      writeFileSync(".lethe/seed", `${randomBytes(32).toString("hex")}\n`);
      expect(await explained("visits")).toMatch(/\nIndex of visits: noted under another secret seed, .*$/);
      writeFileSync(".lethe/seed", seed);
      writeFileSync("lethe.yaml", trino.replaceAll("ward: { type: text }", "ward: { type: integer }"));
      expect(await explained("visits")).toMatch(
        /\n\nvisits cannot be read, since the policy changed after its import: run lethe import$/,
      );
      expect(await status()).toBe("visits: the policy changed since the import: run lethe import");
      expect(await tables()).toContain("visits: imported under another policy");
    }));

  it("is an import where groups are limited after the filter: explain names it until it is made", () =>
    inFolder({ "visits.csv": visitsCsv }, async () => {
      const unit = [
        "--unit",
        "who",
        "--categories",
        "ward=north,south",
        "--max-groups",
        "2",
        "--max-rows",
        "2",
      ];
      await lethe("init", "visits.csv", ...unit, "--epsilon", "1000");
      const explained = async (): Promise<string> =>
        (await lethe("explain", "SELECT ward, COUNT(*) FROM visits GROUP BY ward", "--epsilon", "1")).out;
      expect(await explained()).toMatch(
        /\n\nvisits cannot be read, since it was not imported: run lethe import --table visits$/,
      );
      expect(await lethe("import", "--table", "visits")).toMatchObject({ error: "", code: null });
      expect(await explained()).toMatch(
        /\n\nvisits is read from its import, which froze the rows of its file$/,
      );
    }));

  it("is nothing where each row is a unit", () =>
    inFolder({ "visits.csv": visitsCsv }, async () => {
      const words = ["--unit", "row", "--categories", "ward=north,south", "--epsilon", "1000"];
      await lethe("init", "visits.csv", ...words);
      const asked = "SELECT ward, COUNT(*) FROM visits GROUP BY ward";
      const explained = await lethe("explain", asked, "--epsilon", "1");
      expect(explained).toMatchObject({ error: "", code: null });
      expect(explained.out).not.toContain("Import of");
    }));

  it("is refused where nothing is ordered, with what would be", () =>
    inFolder({ "visits.csv": visitsCsv }, async () => {
      await setUp();
      const policy = readFileSync("lethe.yaml", "utf8");
      writeFileSync("lethe.yaml", policy.replace("rows-before-filter", "groups-after-filter"));
      const refused = await lethe("index", "build");
      expect(refused).toMatchObject({ code: "cli.usage" });
      expect(refused.error).toMatch(/limit: rows-before-filter/);
      expect(await lethe("index", "build", "--table", "visit")).toMatchObject({
        code: "query.unknown-table",
      });
      expect((await lethe("index", "build", "--table", "visits")).code).toBe(null);
      expect((await lethe("index", "status")).out).toMatch(/used where bound is rows-before-filter/);
    }));
});
