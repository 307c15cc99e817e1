import { readFileSync, rmSync, writeFileSync } from "node:fs";
import type { Release } from "@lethe/gateway";
import { hasPostgres, serverWith } from "@lethe/testing";
import { describe, expect, it, vi } from "vitest";
import { inFolder, lethe } from "../testing/command-line.ts";

const policy = `version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
database: { kind: postgres, url_env: LETHE_TEST_COPIES }
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
  staff: { relation: clinic.staff, unit: id, max_rows_contributed_per_group: 1, columns: { id: { type: integer } } }
budget: { measure: approximate, epsilon: 1e6, delta: 1e-6 }
`;

const manifestOf = (table: string) => JSON.parse(readFileSync(`.lethe/snapshots/${table}.json`, "utf8"));
const byWard = "SELECT ward, COUNT(*) AS visits FROM visits GROUP BY ward";

describe.skipIf(!hasPostgres())("lethe import of a database", () => {
  const own = serverWith(`CREATE SCHEMA clinic; CREATE ROLE lethe LOGIN;
    CREATE TABLE clinic.visits (person_id bigint, ward varchar(20), cost numeric(8, 2));
    INSERT INTO clinic.visits SELECT i % 500, CASE WHEN i % 500 < 200 THEN 'north' ELSE 'south' END, i % 90 FROM generate_series(1, 2000) AS i;
    INSERT INTO clinic.visits VALUES (700, 'east', 5);
    CREATE TABLE clinic.staff AS SELECT i AS id FROM generate_series(1, 50) AS i;
    GRANT USAGE ON SCHEMA clinic TO lethe; GRANT SELECT ON ALL TABLES IN SCHEMA clinic TO lethe`);

  const withDatabase = (files: Readonly<Record<string, string>>, use: () => Promise<void>): Promise<void> => {
    process.env.LETHE_TEST_COPIES = own.server.urlOf("lethe");
    return inFolder({ "lethe.yaml": policy, ...files }, async () => {
      expect(await lethe("init")).toMatchObject({ error: "", code: null });
      await use();
    }).finally(() => {
      delete process.env.LETHE_TEST_COPIES;
    });
  };

  /** Noise of this price is 0 but for once in e^40. */
  async function counts(...more: string[]): Promise<unknown> {
    const asked = await lethe("query", byWard, "--epsilon", "160", "--format", "json", ...more);
    expect(asked.code, asked.error).toBeNull();
    return (JSON.parse(asked.out) as Release).rows.map((row) =>
      row.map((cell) => (cell !== null && typeof cell === "object" && "value" in cell ? cell.value : cell)),
    );
  }

  it("copies all tables; questions read the copies, say of when they are, and the same question is free until the next import", () =>
    withDatabase({}, async () => {
      const live = await counts();
      expect(live).toEqual([
        ["north", 400],
        ["south", 600],
        [null, 1],
      ]);
      expect((await lethe("explain", byWard, "--epsilon", "1")).out).toMatch(
        /\n\nvisits is read as it lies, in PostgreSQL\nImport of visits: none; .*sort all rows.* about 20 times as long.*: run lethe import, which copies the tables for questions to read$/,
      );
      expect((await lethe("tables")).out).not.toContain("copies");

      const made = await lethe("import");
      expect(made).toMatchObject({ error: "", code: null });
      expect(made.out).toMatch(
        /^visits: 2001 rows frozen into \.lethe\/snapshots\/visits-[0-9a-f-]{36}\.duckdb\nward: NULL in place of 1 value that/,
      );
      expect(made.out).toMatch(/\nstaff: 50 rows frozen into /);
      const moment = "\\d{4}-\\d{2}-\\d{2}T[0-9:.]+Z";
      const words = new RegExp(
        `Questions read copies of the database's tables: visits: as of ${moment}, staff: as of ${moment}`,
      );
      expect(made.out).toMatch(words);
      const copied = ["visits", "staff"].map((table) => manifestOf(table).copied);
      expect(copied[0].sources).toEqual([expect.stringMatching(/^\d+$/)]);
      expect(copied[0].asOf).toMatch(new RegExp(`^${moment}$`));
      expect(copied[1].asOf).toBe(copied[0].asOf);

      await own.admin.query("BEGIN; DELETE FROM clinic.visits WHERE ward = 'north'");
      await own.admin.query("COMMIT");
      try {
        delete process.env.LETHE_TEST_COPIES;
        const told = vi.spyOn(console, "error").mockImplementation(() => undefined);
        const asked = await lethe("query", byWard, "--epsilon", "160", "--out", "first.json");
        expect(asked.code).toBeNull();
        expect(told.mock.calls).toEqual([[expect.stringMatching(words)]]);
        told.mockRestore();
        expect(await counts()).toEqual(live);
        const again = await lethe("query", byWard, "--epsilon", "160", "--out", "again.json");
        expect(readFileSync("again.json", "utf8")).toBe(readFileSync("first.json", "utf8"));
        expect(again.out).toContain("nothing is charged now");
        expect(readFileSync("first.json", "utf8")).not.toMatch(/copied|sources|snapshot/);
        const explained = (await lethe("explain", byWard, "--epsilon", "1")).out;
        expect(explained).toMatch(
          new RegExp(
            `\n\nvisits is read from its copy of PostgreSQL's rows, as of ${copied[0].asOf}: lethe import makes a newer one$`,
          ),
        );
        expect((await lethe("tables")).out).toMatch(words);

        process.env.LETHE_TEST_COPIES = own.server.urlOf("lethe");
        expect((await lethe("import", "--table", "visits")).code).toBeNull();
        expect(await counts()).toEqual([
          ["north", 0],
          ["south", 600],
          [null, 1],
        ]);
      } finally {
        process.env.LETHE_TEST_COPIES = own.server.urlOf("lethe");
        await own.admin.query(
          "INSERT INTO clinic.visits SELECT i % 500, 'north', i % 90 FROM generate_series(1, 2000) AS i WHERE i % 500 < 200",
        );
      }
      expect((await lethe("policy", "check", "--connect")).code).toBeNull();

      const removed = await lethe("import", "--remove");
      expect(removed.out).toBe("visits: the snapshot is removed\nstaff: the snapshot is removed");
      expect((await lethe("import", "--remove", "--table", "staff")).out).toBe(
        "staff: there is no snapshot to remove",
      );
      expect(await counts("--fresh")).toEqual(live);
      expect((await lethe("tables")).out).not.toContain("copies");
    }));

  it("refuses a table that was not copied beside one that was, a changed policy, and a copy that is gone", () =>
    withDatabase({}, async () => {
      expect((await lethe("import", "--table", "visits")).out).toContain("staff: not imported");
      expect(await lethe("query", "SELECT COUNT(*) FROM staff", "--epsilon", "1")).toMatchObject({
        code: "engine.not-imported",
        error: expect.stringContaining("lethe import --table staff, or lethe import --remove"),
      });
      writeFileSync("lethe.yaml", policy.replace("[0, 100]", "[0, 90]"));
      expect(await lethe("query", byWard, "--epsilon", "1")).toMatchObject({
        code: "policy.changed",
        error: expect.stringContaining("lethe import --table visits, or lethe import --remove"),
      });
      writeFileSync("lethe.yaml", policy);
      rmSync(`.lethe/snapshots/${manifestOf("visits").file}`);
      expect(await lethe("query", byWard, "--epsilon", "1")).toMatchObject({ code: "engine.source" });
      const advised = await lethe("policy", "check", "--connect");
      expect(advised).toMatchObject({ code: "engine.source" });
    }));

  it("keeps the roles that relations had: one source in two roles is refused without asking the database", () =>
    withDatabase({}, async () => {
      expect((await lethe("import")).code).toBeNull();
      const [staff, visits] = ["staff", "visits"].map(manifestOf);
      // As where the staff's relation had been a view of the visits.
      for (const sources of [visits.copied.sources, null]) {
        const copied = { ...staff.copied, sources };
        writeFileSync(".lethe/snapshots/staff.json", JSON.stringify({ ...staff, copied }));
        expect(await lethe("query", byWard, "--epsilon", "1")).toMatchObject({ code: "policy.roles" });
      }
      writeFileSync(".lethe/snapshots/staff.json", JSON.stringify(staff));
      expect((await lethe("query", byWard, "--epsilon", "1")).code).toBeNull();
    }));

  it("orders the rows of a copy, with the same answers", () =>
    withDatabase(
      { "lethe.yaml": policy.replace("    max_groups", "    limit: rows-before-filter\n    max_groups") },
      async () => {
        const live = await counts();
        expect((await lethe("index", "status", "--table", "visits")).out).toMatch(
          /^visits: none; questions on PostgreSQL order all rows themselves.*: run lethe import, .* then lethe index build$/,
        );
        expect((await lethe("explain", byWard, "--epsilon", "1")).out).toMatch(
          /\n\nvisits is read as it lies, in PostgreSQL\nIndex of visits: none; questions on PostgreSQL order all rows themselves.*: run lethe import, .* then lethe index build$/,
        );
        expect((await lethe("import")).out).toContain("run lethe index build to order them once");
        expect(await counts()).toEqual(live);
        const { copied } = manifestOf("visits");
        expect(await lethe("index", "build")).toMatchObject({ code: null, error: "" });
        expect((await lethe("explain", byWard, "--epsilon", "1")).out).toMatch(
          new RegExp(`as of ${copied.asOf}: .*\nIndex of visits: built; questions use it$`),
        );
        expect(await counts("--fresh")).toEqual(live);
      },
    ));

  it("says what it cannot do in one coded error, and leaves the copies that there are", () =>
    withDatabase({}, async () => {
      expect((await lethe("import")).code).toBeNull();
      const before = readFileSync(".lethe/snapshots/visits.json", "utf8");
      expect(await lethe("import", "visits.csv")).toMatchObject({
        code: "cli.usage",
        error: expect.stringContaining("lethe import --table NAME"),
      });
      expect(await lethe("import", "--table", "nobody")).toMatchObject({ code: "query.unknown-table" });
      await own.admin.query("REVOKE SELECT ON clinic.staff FROM lethe");
      try {
        // Refused before a row of any table is copied.
        expect(await lethe("import")).toMatchObject({ code: "engine.source" });
      } finally {
        await own.admin.query("GRANT SELECT ON clinic.staff TO lethe");
      }
      expect(readFileSync(".lethe/snapshots/visits.json", "utf8")).toBe(before);
      process.env.LETHE_TEST_COPIES = "postgres://lethe@127.0.0.1:1/postgres";
      expect(await lethe("import")).toMatchObject({ code: "engine.source" });
    }));
});
