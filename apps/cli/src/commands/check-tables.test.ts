import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { hasPostgres, serverWith } from "@lethe/testing";
import { afterAll, describe, expect, it } from "vitest";
import { inFolder, lethe, peopleCsv, secret, setUp } from "../testing/command-line.ts";

const policyOf = (tables: string, database = ""): string => `version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
${database}tables:
${tables}budget: { measure: approximate, epsilon: 5, delta: 1e-6 }
`;
const check = (...more: string[]): ReturnType<typeof lethe> => lethe("policy", "check", ...more);

describe("lethe policy check --connect, over files", () => {
  it("finds what is missing in a CSV before it is imported, makes nothing, and says what is next", () =>
    inFolder({ "people.csv": peopleCsv }, async () => {
      const people = (column: string, file = "people.csv"): string =>
        policyOf(`  people: { file: ${file}, unit: row, columns: { ${column}: { type: number } } }\n`);
      writeFileSync("lethe.yaml", people("wage"));
      const sound = await check("--connect");
      expect(sound).toMatchObject({ code: null, out: expect.stringMatching(/^The policy is sound\. /) });
      expect(sound.out).toMatch(
        /Every table is as the policy says\.[\s\S]*advice: tables\.people: .*lethe import people\.csv/s,
      );
      expect((await check()).out).toContain("Its tables were not checked: --connect does so.");
      writeFileSync("lethe.yaml", people("salary"));
      expect(await check("--connect")).toMatchObject({ code: "engine.schema", out: "" });
      expect(await check()).toMatchObject({ code: null });
      writeFileSync("lethe.yaml", people("wage", "folk.csv"));
      expect(await check("--connect")).toMatchObject({ code: "engine.source", out: "" });
      expect(readdirSync(".").sort()).toEqual(["lethe.yaml", "people.csv"]);
    }));

  it("finds a snapshot that the policy left behind", () =>
    inFolder({ "people.csv": peopleCsv }, async () => {
      await setUp();
      const sound = await check("--connect");
      expect(sound).toMatchObject({ code: null });
      expect(sound.out).not.toContain("advice: tables.people");
      expect(sound.out).not.toMatch(secret);
      writeFileSync("lethe.yaml", readFileSync("lethe.yaml", "utf8").replace("[0, 60]", "[0, 61]"));
      expect(await check("--connect")).toMatchObject({ code: "policy.changed" });
    }));

  it("finds relations, columns and types that a .duckdb file does not have, and says all that is wrong", () =>
    inFolder({}, async () => {
      const instance = await DuckDBInstance.create("shop.duckdb");
      const connection = await instance.connect();
      await connection.run("CREATE TABLE people (wage DOUBLE, since DATE); CREATE TABLE visits (day DATE)");
      connection.closeSync();
      instance.closeSync();
      const table = (name: string, column: string): string =>
        `  ${name}: { file: shop.duckdb, unit: row, columns: { ${column} } }\n`;
      writeFileSync("lethe.yaml", policyOf(table("people", "wage: { type: number }")));
      expect(await check("--connect")).toMatchObject({ code: null });
      writeFileSync(
        "lethe.yaml",
        policyOf(
          table("people", "pay: { type: number }") +
            table("visits", "day: { type: number, bounds: [0, 1] }") +
            table("gone", "x: { type: text }"),
        ),
      );
      const wrong = await check("--connect");
      expect(wrong.code).toBe("engine.schema");
      expect(wrong.out.match(/^wrong: .*/gm)).toEqual([
        expect.stringMatching(/tables\.people: .*no column pay \[engine\.schema\]/),
        expect.stringMatching(
          /tables\.visits: column day .*cannot be read as the policy declares it \[engine\.schema\]/,
        ),
        expect.stringMatching(/tables\.gone: .*no relation gone \[engine\.schema\]/),
      ]);
      expect(wrong.out).not.toContain("sound");
      expect(existsSync(".lethe")).toBe(false);
    }));
});

describe("lethe policy check", () => {
  const people = policyOf("  people: { file: people.csv, unit: row, columns: { wage: { type: number } } }\n");

  it("reads rows of a database alone, and only beside --connect", () =>
    inFolder({ "people.csv": peopleCsv, "lethe.yaml": people }, async () => {
      const alone = await check("--rows");
      expect(alone).toMatchObject({ code: "cli.usage", out: "" });
      expect(alone.error).toContain(
        "--rows reads what --connect has checked\n  fix: lethe policy check --connect --rows",
      );
      const files = await check("--rows", "--connect");
      expect(files).toMatchObject({ code: "cli.usage", out: "" });
      expect(files.error).toContain("those of this policy are files\n  fix: lethe import TABLE_FILE");
    }));

  it("leaves no temporary folder where there was no state, whatever it found", () =>
    inFolder({ "people.csv": peopleCsv, "lethe.yaml": people }, async () => {
      const { TMPDIR } = process.env;
      mkdirSync("temporary");
      process.env.TMPDIR = join(process.cwd(), "temporary");
      try {
        expect((await check("--connect")).code).toBeNull();
        writeFileSync("lethe.yaml", people.replace("wage", "salary"));
        expect((await check("--connect")).code).toBe("engine.schema");
        expect(readdirSync("temporary")).toEqual([]);
        expect(existsSync(".lethe")).toBe(false);
      } finally {
        if (TMPDIR === undefined) delete process.env.TMPDIR;
        else process.env.TMPDIR = TMPDIR;
      }
    }));

  it("says a fault that two tables share once, and of one fault nothing but the error", () =>
    inFolder({}, async () => {
      const gone = (name: string, file: string): string =>
        `  ${name}: { file: ${file}, unit: row, columns: { wage: { type: number } } }\n`;
      writeFileSync("lethe.yaml", policyOf(gone("a", "x.parquet")));
      const one = await check("--connect");
      expect(one).toMatchObject({ code: "engine.source", out: "" });
      writeFileSync("lethe.yaml", policyOf(gone("a", "x.parquet") + gone("b", "y.parquet")));
      const two = await check("--connect");
      expect(two.code).toBe("engine.source");
      expect(two.error).toBe(one.error);
      expect(two.out.match(/^wrong: tables\.\w/gm)).toEqual(["wrong: tables.a", "wrong: tables.b"]);
      expect(two.out).toMatch(/^wrong: tables\.a: \S.* \[engine\.source\]\n {2}\S/);
    }));
});

describe.skipIf(!hasPostgres())("lethe policy check --connect, over PostgreSQL", () => {
  const own =
    serverWith(`CREATE TABLE people (id integer, wage float8); CREATE VIEW wages AS SELECT id, wage FROM people;
      CREATE VIEW far AS SELECT * FROM wages WHERE wage > 1; CREATE TABLE apart (id integer, wage float8);
      CREATE ROLE reader LOGIN; CREATE ROLE writer LOGIN; GRANT SELECT ON people, wages, far, apart TO reader, writer;
      GRANT TRIGGER ON people TO writer`);
  afterAll(() => {
    delete process.env.LETHE_TEST_CHECK;
  });

  it("finds relations, columns and roles that are wrong, and needs no ledger", () =>
    inFolder({}, async () => {
      const as = (role: string, table: string): Promise<{ readonly code: unknown; readonly out: string }> => {
        process.env.LETHE_TEST_CHECK = own.server.urlOf(role);
        writeFileSync(
          "lethe.yaml",
          policyOf(`  people: { ${table} } }\n`, "database: { kind: postgres, url_env: LETHE_TEST_CHECK }\n"),
        );
        return check("--connect");
      };
      const wage = "columns: { wage: { type: number }";
      const sound = await as("reader", `unit: row, ${wage}`);
      expect(sound).toMatchObject({
        error: "",
        code: null,
        out: expect.stringContaining("Every table is as the policy says."),
      });
      for (const [role, table, code] of [
        ["reader", `relation: public.folk, unit: row, ${wage}`, "engine.source"],
        ["reader", "unit: row, columns: { pay: { type: number }", "engine.schema"],
        ["reader", "unit: row, columns: { wage: { type: date }", "engine.schema"],
        ["reader", `relation: public.wages, unit: row, ${wage}`, "engine.untrusted"],
        ["writer", `unit: row, ${wage}`, "engine.source"],
        ["nobody", `unit: row, ${wage}`, "engine.source"],
      ] as const)
        expect(await as(role, table), `${role}: ${table}`).toMatchObject({ code, out: "" });
      const vouched = await as("reader", `relation: public.wages, trusted: true, unit: row, ${wage}`);
      expect(vouched).toMatchObject({
        code: null,
        out: expect.stringContaining("advice: tables.people.trusted"),
      });
      expect(readdirSync(".")).toEqual(["lethe.yaml"]);
    }));

  it("finds one relation under two names in two roles, also below views, and says it once", () =>
    inFolder({}, async () => {
      process.env.LETHE_TEST_CHECK = own.server.urlOf("reader");
      const columns = "columns: { id: { type: integer }, wage: { type: number, bounds: [0, 9] } } }";
      const beside = (
        relation: string,
        role: string,
      ): Promise<{ code: unknown; out: string; error: string }> => {
        writeFileSync(
          "lethe.yaml",
          policyOf(
            `  people: { unit: id, ${columns}\n  other: { relation: ${relation}, trusted: true, ${role}, ${columns}\n`,
            "database: { kind: postgres, url_env: LETHE_TEST_CHECK }\n",
          ),
        );
        return check("--connect");
      };
      const free = "public: true, key: id";
      for (const [relation, role] of [
        ["public.wages", free],
        ["public.far", free],
        ["public.far", "unit: row"],
      ] as const) {
        const wrong = await beside(relation, role);
        expect(wrong, relation).toMatchObject({ code: "policy.roles", out: "" });
        expect(wrong.error).toContain("people and other read one source in two roles");
        expect(await check(), "without a connection").toMatchObject({ code: null });
      }
      // A table by its own name needs no connection; nothing is wrong in one role, or over another relation.
      await beside("public.people", free);
      expect(await check()).toMatchObject({ code: "policy.roles" });
      expect(await beside("public.far", "unit: id")).toMatchObject({ code: null });
      expect(await beside("public.apart", free)).toMatchObject({ code: null });
    }));
});
