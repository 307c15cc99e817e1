import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { Release } from "@lethe/gateway";
import { type Policy, readPolicy } from "@lethe/query";
import { describe, expect, it } from "vitest";
import { inFolder, lethe, type Said } from "../../testing/command-line.ts";

/** A value, a default, a condition of a view: no policy may hold one. */
const secret = /Geheim|31337/;

/** A chain, a diamond, a self-reference, a composite key, a lookup, a view, names that need quotes. */
const hospital = [
  "CREATE TABLE wards (code VARCHAR PRIMARY KEY, beds INTEGER)",
  "CREATE TABLE people (id INTEGER PRIMARY KEY, mother INTEGER REFERENCES people (id), age SMALLINT, sex ENUM ('f', 'm''s'))",
  `CREATE TABLE visits (visit_id BIGINT PRIMARY KEY, doctor INTEGER REFERENCES people (id),
     patient INTEGER REFERENCES people (id), ward VARCHAR REFERENCES wards (code), cost DECIMAL(8, 2), scan BLOB,
     UNIQUE (visit_id, ward))`,
  `CREATE TABLE "it""ems" (visit BIGINT REFERENCES visits (visit_id), "unit price" DOUBLE, sold DATE, moment TIMESTAMPTZ)`,
  "CREATE TABLE notes (visit BIGINT, ward VARCHAR, body VARCHAR DEFAULT 'Geheim', FOREIGN KEY (visit, ward) REFERENCES visits (visit_id, ward))",
  "CREATE VIEW recent AS SELECT * FROM visits WHERE cost > 31337",
  "INSERT INTO wards SELECT 'w' || i, 10 FROM range(4) AS r (i)",
  "INSERT INTO people SELECT i, NULL, 20 + i % 60, 'f' FROM range(400) AS r (i)",
  "INSERT INTO visits SELECT i, i % 400, 0, 'w' || i % 4, 50, 'Geheim'::BLOB FROM range(800) AS r (i)",
  `INSERT INTO "it""ems" SELECT i % 800, 2.5, DATE '2020-01-01', NULL FROM range(1600) AS r (i)`,
];

async function inDatabase(statements: readonly string[], work: () => Promise<void>): Promise<void> {
  await inFolder({}, async () => {
    const { DuckDBInstance } = await import("@duckdb/node-api");
    const instance = await DuckDBInstance.create("hospital.duckdb", { threads: "1" });
    const connection = await instance.connect();
    for (const statement of statements) await connection.run(statement);
    connection.closeSync();
    instance.closeSync();
    await work();
  });
}

const text = (): string => readFileSync("lethe.yaml", "utf8");
const written = (): Policy => readPolicy(text());
const init = (...words: string[]): Promise<Said> => lethe("init", "hospital.duckdb", ...words);

describe("lethe init over a DuckDB database", () => {
  it("leaves out a list of an enum by its own type, and drafts an enum", () =>
    inDatabase(
      ["CREATE TABLE people (id INTEGER PRIMARY KEY, mood ENUM ('f', 'm'), moods ENUM ('f', 'm')[])"],
      async () => {
        expect((await init("--unit", "people.id", "--categories", "mood=f,m")).code).toBeNull();
        expect(text()).toContain(`moods is left out: its type, "ENUM('f', 'm')[]", cannot be asked`);
        expect(Object.keys(written().tables.people!.columns)).toEqual(["id", "mood"]);
      },
    ));

  it("proposes units from declared keys; after the owner's words joins are answered", () =>
    inDatabase(hospital, async () => {
      const words = ["--bounds", "cost=0..100", "--bounds", "unit price=0..5", "--categories", "sex=f,m"];
      const said = await init("--unit", "people.id", "--max-rows", "4", ...words);
      expect(said).toMatchObject({ error: "", code: null });
      expect(said.out).toContain("visits: several declared keys lead to the unit");
      expect(said.out).toContain("notes, recent, wards: no declared key");
      const { tables } = written();
      expect(Object.keys(tables).sort()).toEqual(['it"ems', "people", "visits"]);
      expect(tables.people).toMatchObject({
        file: "hospital.duckdb",
        unit: { kind: "column", column: "id" },
        key: "id",
        columns: { age: { type: "integer", bounds: null }, sex: { type: "text", categories: ["f", "m"] } },
      });
      expect(tables.visits).toMatchObject({
        unit: { kind: "through", column: "doctor", references: { table: "people", column: "id" } },
        key: "visit_id",
        contribution: { maxRowsPerGroup: 4 },
        columns: { cost: { type: "number", bounds: [0, 100] } },
      });
      expect(Object.keys(tables.visits!.columns)).not.toContain("scan");
      expect(tables['it"ems']).toMatchObject({
        unit: { kind: "through", column: "visit", references: { table: "visits", column: "visit_id" } },
        columns: { "unit price": { bounds: [0, 5] }, sold: { type: "date" }, moment: { type: "timestamp" } },
      });
      for (const comment of [
        "instead if that unit is meant: unit: { through: patient, references: people.id }",
        "mother refers to people itself",
        "(visit, ward) refers to visits by several columns",
        "scan is left out: its type, BLOB",
        "a view, which declares no keys:\n  #recent:",
      ])
        expect(text()).toContain(comment);
      expect(text()).not.toMatch(secret);
      expect((await lethe("policy", "check")).code).toBeNull();
      const join =
        'SELECT COUNT(*), SUM(i."unit price") FROM people p JOIN visits v ON v.doctor = p.id JOIN "it""ems" i ON i.visit = v.visit_id';
      const asked = await lethe("query", join, "--epsilon", "4", "--format", "json");
      expect(asked).toMatchObject({ error: "", code: null });
      const [count] = (JSON.parse(asked.out) as Release).rows[0]!;
      // 1600 rows, 4 a unit; noise of scale 4 · 2 / 4 at most is off by 200 less than once in e^100.
      expect(Math.abs((count as { readonly value: number }).value - 1600)).toBeLessThan(200);
    }));

  it("offers a lookup as public; what may be people's has to be said before the policy can be read", () =>
    inDatabase(hospital, async () => {
      await init("--unit", "people.id", "--categories", "ward=w0,w1,w2,w3");
      const open = (name: string): string =>
        text().replace(new RegExp(`^  #${name}:\\n(?:  #  .*\\n)*`, "m"), (block) =>
          block.replaceAll(/^ {2}#/gm, "  "),
        );
      const withWards = readPolicy(open("wards")).tables.wards!;
      expect(withWards).toMatchObject({ unit: { kind: "public" }, key: "code" });
      for (const name of ["notes", "recent"]) expect(() => readPolicy(open(name))).toThrow(/COLUMN/);
      writeFileSync(
        "lethe.yaml",
        open("wards").replace("beds: { type: integer }", "beds: { type: integer, bounds: [0, 50] }"),
      );
      const sql = "SELECT v.ward, COUNT(*) FROM visits v JOIN wards w ON v.ward = w.code GROUP BY v.ward";
      expect(await lethe("explain", sql, "--epsilon", "1")).toMatchObject({ error: "", code: null });
    }));

  it("is restricted to tables and what lies on their way", () =>
    inDatabase(hospital, async () => {
      expect((await init("--unit", "people.id", "--table", 'it"ems')).code).toBeNull();
      expect(Object.keys(written().tables).sort()).toEqual(['it"ems', "people", "visits"]);
      expect(text()).not.toMatch(/wards:|recent|notes/);
    }));

  it("takes one table whose rows are units, and a unit that no key names", () =>
    inDatabase(hospital, async () => {
      await init("--unit", "row", "--table", "notes", "--policy", "a/p.yaml");
      const one = readPolicy(readFileSync("a/p.yaml", "utf8")).tables;
      expect(one).toMatchObject({ notes: { unit: { kind: "row" }, file: "../hospital.duckdb" } });
      expect(Object.keys(one)).toEqual(["notes"]);
      await init("--unit", "notes.visit");
      expect(Object.keys(written().tables)).toEqual(["notes"]);
    }));

  it.each<[string, string[], RegExp]>([
    ["nobody protected", [], /--unit people\.id, --unit visits\.visit_id/],
    ["an unknown unit", ["--unit", "people.ide"], /did you mean "people\.id"/],
    ["a column of several tables", ["--unit", "visit"], /name the table too: it"ems\.visit, notes\.visit/],
    ["rows of several tables", ["--unit", "row"], /--unit row is for one table/],
    ["doubles as units", ["--unit", 'it"ems.unit price'], /spelled in two ways/],
    ["an unknown table", ["--unit", "people.id", "--table", "visit"], /did you mean "visits"/],
    ["bounds of a key", ["--unit", "people.id", "--bounds", "visit_id=0..1"], /is a key/],
    [
      "dates of a number",
      ["--unit", "people.id", "--bounds", "cost=2010-01-01..2020-01-01"],
      /cost is of type "DECIMAL\(8,2\)"/,
    ],
    ["numbers of labels", ["--unit", "people.id", "--bounds", "sex=0..1"], /sex is of type ENUM/],
    ["categories of a date", ["--unit", "people.id", "--categories", "sold=a,b"], /sold is of type DATE/],
    [
      "a column twice",
      ["--unit", "people.id", "--bounds", "cost=0..1", "--bounds", "visits.cost=0..2"],
      /declared twice/,
    ],
    ["booleans", ["--unit", "people.id", "--booleans", "age"], /--booleans is for a file of one table/],
    ["a second source", ["--unit", "people.id", "--postgres"], /not from both/],
  ])("refuses %s, and writes nothing", (_, words, message) =>
    inDatabase(hospital.slice(0, 6), async () => {
      const said = await init(...words);
      expect(said.code).toBe("cli.usage");
      expect(said.error).toMatch(message);
      expect(existsSync("lethe.yaml") || existsSync(".lethe")).toBe(false);
    }),
  );

  it("refuses what is no database", () =>
    inFolder({ "d.duckdb": "x" }, async () => {
      for (const file of ["d.duckdb", "none.duckdb"])
        expect(await lethe("init", file, "--unit", "people.id")).toMatchObject({ code: "engine.source" });
      expect(existsSync("lethe.yaml") || existsSync(".lethe")).toBe(false);
    }));
});

describe("lethe init over a database", () => {
  it("names twelve tables of many whose unit it does not know, and how many more there are", () =>
    inDatabase(
      [
        "CREATE TABLE people (id INTEGER PRIMARY KEY)",
        ...Array.from({ length: 14 }, (_, at) => `CREATE TABLE t${String(at).padStart(2, "0")} (x INTEGER)`),
      ],
      async () => {
        const said = await init("--unit", "people.id");
        const names = Array.from({ length: 12 }, (_, at) => `t${String(at).padStart(2, "0")}`);
        expect(said.out).toContain(`advice: ${names.join(", ")} and 2 more: no declared key says whose`);
        expect(said.out).not.toContain("several declared keys");
        expect(said.out).toMatch(
          /^Wrote lethe\.yaml from the database's catalog and your words; no row was read\.$/m,
        );
      },
    ));

  it("takes the variable that holds a URL and never the URL, which it does not repeat", () =>
    inFolder({}, async () => {
      for (const named of ["postgres://ada:hunter2@host/db", "1URL", "A-B", "A".repeat(64)]) {
        const said = await lethe("init", "--unit", "people.id", "--postgres", named);
        expect(said).toMatchObject({ code: "cli.usage", out: "" });
        expect(said.error).toContain("--postgres takes the name of an environment variable, not a URL");
        expect(said.error).not.toContain(named);
      }
      for (const [words, variable] of [
        [["--postgres", "_LETHE_TEST_UNSET"], "_LETHE_TEST_UNSET"],
        [["--postgres", "A".repeat(63)], "A".repeat(63)],
        [["--postgres"], "LETHE_DATABASE_URL"],
      ] as const)
        expect(await lethe("init", "--unit", "people.id", ...words)).toMatchObject({
          code: "engine.source",
          error: expect.stringContaining(`the environment variable ${variable} holds no URL`),
        });
      expect(existsSync("lethe.yaml")).toBe(false);
    }));

  it.each([
    [["--booleans", "married"], "--booleans"],
    [["--expected-rows", "5"], "--expected-rows"],
    [["--delimiter", ";"], "--delimiter"],
  ])("refuses the words %j, which are for a file of one table", (words, option) =>
    inFolder({}, async () => {
      const said = await lethe("init", "--postgres", "--unit", "people.id", ...words);
      expect(said).toMatchObject({ code: "cli.usage", out: "" });
      expect(said.error).toContain(`${option} is for a file of one table`);
    }),
  );
});
