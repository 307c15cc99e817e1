import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { inFolder, lethe, peopleCsv } from "../testing/command-line.ts";

const noise = '{ mechanism: "discrete-laplace@1", scale: "1" }, { l1: 1n, l2Squared: 1n }';
const functions = `
export const count = (rows, dp) => dp.addNoise([BigInt(rows.length)], ${noise});
export const total = (rows, dp) => dp.addNoise([BigInt(rows.reduce((a, b) => a + b, 0))], ${noise});
`;
const files = { "f.mjs": functions, "pairs.json": "[[[1, 2], [1, 2, 9]]]" };

describe("lethe audit", () => {
  test("of Lethe itself: claims stand, controls are caught", async () => {
    const said = await lethe("audit", "--quick", "--only", "replay,answers");
    expect(said).toMatchObject({ code: null });
    expect(said.out).toMatch(/ok +gateway .* 12 requests, 11 of them answered/);
    expect(said.out).toMatch(/caught +row-order/);
    expect(said.out).toMatch(/caught +half-sensitivity/);
    expect(said.out).toMatch(/(\d+) of \1 controls with a known fault were caught/);
  });

  test("of one control alone, over a few seeds", async () => {
    const said = await lethe(
      "audit",
      "--soak",
      "2",
      "--seed",
      "40",
      "--only",
      "estimate",
      "--subjects",
      "double-epsilon",
    );
    expect(said).toMatchObject({ code: null });
    expect(said.out).toMatch(/caught +double-epsilon .*caught in 2 of 2 rounds/);
    expect(said.out).toContain("1 of 1 controls");
  });

  test("of a function that keeps its promise, and of one that does not", () =>
    inFolder(files, async () => {
      const good = await lethe(
        "audit",
        "--function",
        "f.mjs#count",
        "--neighbours",
        "pairs.json",
        "--epsilon",
        "1",
        "--report",
        "page.html",
      );
      expect(good).toMatchObject({ code: null });
      expect(readFileSync("page.html", "utf8")).toContain("Nothing wrong was found.");
      expect(good.out).toContain("Claims that stand: 1; that do not: 0.");
      const bad = await lethe("audit", "--function", "f.mjs#total", "--neighbours", "pairs.json", "--json");
      expect(bad.code).toBe("audit.finding");
      expect(JSON.parse(bad.out)).toMatchObject(
        [{ subject: "total", of: "user", finding: /ℓ1 9 > 1/ }].map((row) => ({
          ...row,
          finding: expect.stringMatching(row.finding),
        })),
      );
    }));

  test("of a question, over data that differ in a person", () =>
    inFolder({ "people.csv": peopleCsv }, async () => {
      const init = ["init", "people.csv", "--unit", "row", "--bounds", "wage=0..100"];
      expect(
        (await lethe(...init, "--categories", "sector=manufacturing,construction,other")).code,
      ).toBeNull();
      expect((await lethe("import", "people.csv")).code).toBeNull();
      const other = async (
        rows: string,
        question = "SELECT COUNT(*), SUM(wage) FROM people",
      ): Promise<Awaited<ReturnType<typeof lethe>>> => {
        const home = process.cwd();
        const policy = readFileSync("lethe.yaml", "utf8");
        return inFolder({ "lethe.yaml": policy, "people.csv": rows }, async (folder) => {
          expect((await lethe("init")).code).toBeNull();
          expect((await lethe("import", "people.csv")).code).toBeNull();
          process.chdir(home);
          return lethe("audit", "--question", question, "--neighbour", `${folder}/lethe.yaml`);
        });
      };
      const own = await lethe("audit", "--only", "policy");
      expect(own).toMatchObject({ code: null });
      expect(own.out).toMatch(/ok +people .* 0 of \d+; refused: \d/);
      expect(own.out).toContain("not checked");
      const more = `${peopleCsv}99.5,other,Secretville1\n`;
      expect(await other(more)).toMatchObject({ code: null });
      const totals =
        "SELECT sector, COUNT(*) AS n FROM people GROUP BY ROLLUP (sector) ORDER BY n DESC LIMIT 2";
      expect((await other(more, totals)).out).toMatch(/ok +the question .* with \d+ draws frozen/);
      expect((await other(more, "SELECT wage FROM people")).code).toBe("query.unsupported");
      const two = await other(`${peopleCsv}99.5,other,x\n99.5,other,y\n`);
      expect(two.code).toBe("audit.finding");
      expect(two.out).toMatch(/ℓ1 2 > 1/);
    }));

  test.each([
    [["--only", "everything"], "cli.usage"],
    [["--only", "replay", "--subjects", "nobody"], "cli.usage"],
    [["--function", "f.mjs#count"], "cli.usage"],
    [["--function", "gone.mjs#count", "--neighbours", "pairs.json"], "cli.file"],
    [["--function", "f.mjs#count", "--neighbours", "f.mjs"], "cli.usage"],
    [["--question", "SELECT COUNT(*) FROM people"], "cli.usage"],
    [["--seed", "x"], "parameter.invalid"],
    [["--report", "page.pdf"], "cli.usage"],
    [["--report", "gone/page.html"], "cli.file"],
  ])("refuses %s", (argv, code) =>
    inFolder(files, async () => {
      expect((await lethe("audit", ...argv)).code).toBe(code);
    }),
  );
});
