import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hasPostgres, serverWith } from "@lethe/testing";
import { afterAll, describe, expect, it } from "vitest";
import { inFolder, lethe } from "../testing/command-line.ts";

/** u1 … u10: two rows each, in two wards; u11 … u20: one row. Two rows are nobody's. */
const visits = [
  "pid,ward,cost",
  ...Array.from({ length: 10 }, (_, i) => `u${i + 1},a,1\nu${i + 1},b,2`),
  ...Array.from({ length: 10 }, (_, i) => `u${i + 11},a,3`),
  ",a,1",
  ",b,2",
  "",
].join("\n");

const init = (...more: string[]): string[] => [
  ...["init", "visits.csv", "--unit", "pid", "--categories", "ward=a,b", "--bounds", "cost=0..9", ...more],
];

describe("what the owner alone is told of limits at an import", () => {
  it("how many units are beyond them, what share of rows they leave, and the private way to choose them", () =>
    inFolder({ "visits.csv": visits }, async () => {
      await lethe(...init());
      const { out } = await lethe("import");
      expect(out).toContain("10 of 20 units have more than 1 row (max_rows_contributed_per_group, 1)");
      expect(out).toMatch(/a question without GROUP BY counts 66\.\d+ % of the rows/);
      expect(out).toMatch(
        /GROUP BY ward: 10 units in more than 1 group \(max_groups_contributed\): about 66\.\d+ %/,
      );
      expect(out).toContain("becomes public with the policy");
      // The question that it names is accepted as it stands, and costs what it says.
      const [, question] = /^ {2}lethe query (".*")$/m.exec(out)!;
      const { code } = await lethe("query", JSON.parse(question!), "--epsilon", "1");
      expect(code).toBeNull();
      // Nothing that stays tells it.
      expect(readFileSync("lethe.yaml", "utf8")).not.toMatch(/66\.|\b20 units\b/);
      for (const place of readdirSync(".lethe", { recursive: true, encoding: "utf8" })) {
        const path = join(".lethe", place);
        if (/\.(log|json|jsonl)$/.test(path) && existsSync(path))
          expect(readFileSync(path, "utf8")).not.toMatch(/0\.66|beyond|"kept"|more than 1 row/);
      }
    }));

  it("nothing where limits leave all rows, of the table's limit where that is bounded", () =>
    inFolder({ "visits.csv": visits }, async () => {
      await lethe(...init("--max-rows", "2", "--max-groups", "2"));
      expect((await lethe("import")).out).not.toContain("becomes public");
    }));

  it("of the table's rows where those are bounded before the filter", () =>
    inFolder({ "visits.csv": visits }, async () => {
      await lethe(...init("--max-rows", "1", "--max-groups", "1", "--limit", "rows-before-filter"));
      const { out } = await lethe("import");
      expect(out).toContain("10 of 20 units have more than 1 row (max_groups_contributed × max_rows");
      expect(out).toMatch(/a question counts 66\.\d+ % of the rows/);
      expect(out).not.toContain("GROUP BY ward");
    }));

  it("nothing where rows are units", () =>
    inFolder({ "visits.csv": visits }, async () => {
      await lethe("init", "visits.csv", "--unit", "row", "--categories", "ward=a,b");
      expect((await lethe("import")).out).not.toContain("units have");
    }));
});

describe.skipIf(!hasPostgres())(
  "what the owner alone is told of limits over PostgreSQL, where nothing is imported",
  () => {
    const rows = visits
      .trim()
      .split("\n")
      .slice(1)
      .map(
        (line) =>
          `(${line
            .split(",")
            .map((value) => (value === "" ? "NULL" : `'${value}'`))
            .join(", ")})`,
      );
    const own = serverWith(`CREATE TABLE visits (pid text, ward varchar(5), cost text);
    INSERT INTO visits VALUES ${rows.join(", ")};
    CREATE TABLE stays (stay integer, pid text); INSERT INTO stays SELECT i, 'u' || i FROM generate_series(1, 9) AS i;
    CREATE ROLE lethe LOGIN; GRANT SELECT ON visits, stays TO lethe`);
    afterAll(() => {
      delete process.env.LETHE_TEST_KEPT;
    });

    const policyText = (limits: string): string => `version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
database: { kind: postgres, url_env: LETHE_TEST_KEPT }
tables:
  visits:
    unit: pid
${limits}    columns: { pid: { type: text }, ward: { type: text, categories: [a, b] }, cost: { type: number, bounds: [0, 9] } }
  stays: { unit: { through: pid, references: visits.pid }, key: stay, columns: { stay: { type: integer }, pid: { type: text } } }
budget: { measure: approximate, epsilon: 5, delta: 1e-6 }
`;
    const told = async (limits: string, ...more: string[]): ReturnType<typeof lethe> => {
      process.env.LETHE_TEST_KEPT = own.server.urlOf("lethe");
      writeFileSync("lethe.yaml", policyText(limits));
      return lethe("policy", "check", "--connect", ...more);
    };

    it("the same figures as an import tells of a file", () =>
      inFolder({ "visits.csv": visits }, async () => {
        await lethe(...init());
        const { out: imported } = await lethe("import");
        const figures = imported
          .split("\n")
          .filter((line) => /units have|units in|becomes public/.test(line));
        expect(figures).toHaveLength(3);
        rmSync(".lethe", { recursive: true });
        const { code, out } = await told("", "--rows");
        expect(code).toBeNull();
        for (const line of figures) expect(out).toContain(line);
        expect(out).toContain("stays: its limits keep every row");
        expect(out).toContain("These numbers are exact and for you alone");
        const bounded = await told("    limit: rows-before-filter\n", "--rows");
        expect(bounded.out).toContain(
          "10 of 20 units have more than 1 row (max_groups_contributed × max_rows",
        );
        expect(bounded.out).toMatch(/a question counts 66\.\d+ % of the rows/);
        const wide = await told(
          "    max_groups_contributed: 2\n    max_rows_contributed_per_group: 2\n",
          "--rows",
        );
        expect(wide.out).toContain("visits: its limits keep every row");
      }));

    it("nothing of it unless rows are asked for, and nothing that stays", () =>
      inFolder({}, async () => {
        const { code, out } = await told("");
        expect(code).toBeNull();
        expect(out).not.toMatch(/units have|of the rows|limits keep/);
        expect(readdirSync(".")).toEqual(["lethe.yaml"]);
      }));

    it("is refused for files, and without a connection", () =>
      inFolder({ "visits.csv": visits }, async () => {
        await lethe(...init());
        expect(await lethe("policy", "check", "--rows")).toMatchObject({ code: "cli.usage", out: "" });
        expect(await lethe("policy", "check", "--connect", "--rows")).toMatchObject({
          code: "cli.usage",
          error: expect.stringContaining("lethe import"),
        });
      }));
  },
);
