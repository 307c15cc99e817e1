import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
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
      await lethe(...init("--max-rows", "1", "--max-groups", "1", "--bound", "rows-before-filter"));
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
