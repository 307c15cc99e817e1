import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { inFolder, lethe, peopleCsv } from "../../testing/command-line.ts";

const noise = '{ mechanism: "discrete-laplace@1", scale: "1" }, { l1: 1n, l2Squared: 1n }';
const functions = `
export const count = (rows, dp) => dp.addNoise([BigInt(rows.length)], ${noise});
export const total = (rows, dp) => dp.addNoise([BigInt(rows.reduce((a, b) => a + b, 0))], ${noise});
`;
const files = { "f.mjs": functions, "pairs.json": "[[[1, 2], [1, 2, 9]]]" };

/** Everybody was in both wards, of which one counts: which one hangs on the seed. */
const visits = `person,ward\n${Array.from({ length: 40 }, (_, i) => `p${i},a\np${i},b\n`).join("")}`;
const ofVisits = `version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
tables:
  visits:
    file: visits.csv
    unit: person
    columns: { person: { type: text }, ward: { type: text, categories: [a, b] } }
budget: { measure: approximate, epsilon: 0.5, delta: 1e-6 }
`;
const withFaults = ofVisits
  .replace(
    "budget:",
    `  stays: { file: stays.parquet, unit: row, columns: { days: { type: integer } } }
views:
  both: SELECT * FROM visits WHERE ward = 'a'
  odd: SELECT * FROM visits WHERE RANDOM() < 1
  twins: SELECT a.person FROM visits a JOIN visits b ON a.ward = b.ward
budget:`,
  )
  .replace("ward: {", "cost: { type: number }, ward: {");

describe("lethe audit", () => {
  test("of Lethe itself: claims stand, controls are caught", async () => {
    const said = await lethe("audit", "--quick", "--only", "replay,answers,forgeries");
    expect(said).toMatchObject({ code: null });
    expect(said.out).toMatch(/ok +gateway .* 12 requests, 11 of them answered/);
    expect(said.out).toMatch(/caught +row-order/);
    expect(said.out).toMatch(/caught +half-sensitivity/);
    expect(said.out).toMatch(/ok +genuine-releases/);
    expect(said.out).toMatch(/caught +dropped-group\b/);
    expect(said.out).toMatch(/(\d+) of \1 controls with a known fault were caught/);
  });

  test("says where temporary files cannot be", async () => {
    const { TMPDIR } = process.env;
    process.env.TMPDIR = "/gone";
    try {
      const said = await lethe("audit", "--quick", "--only", "answers", "--subjects", "gateway");
      expect(said).toMatchObject({ code: "cli.file", error: expect.stringContaining("temporary files") });
    } finally {
      if (TMPDIR === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = TMPDIR;
    }
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
      expect(readFileSync("page.html", "utf8")).toContain("A function, on its neighbours, ");
      expect(good.out).toContain("Claims that stand: 1; that do not: 0.");
      const none = await lethe("audit", "--function", "f.mjs#cuont", "--neighbours", "pairs.json");
      expect(none.code).toBe("audit.finding");
      expect(none.error).toBe(
        "error [audit.finding] 1 of 1 rows show something wrong\n" +
          "  fix: read the rows marked FINDING or MISSED, and do not release with what they name",
      );
      expect(none.out).toMatch(/FINDING +cuont .* is no function that its file exports/);
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
      expect(own.out).toMatch(/ok +people .* 0 of \d+; refused: none/);
      expect(own.out).toContain("not checked");
      const more = `${peopleCsv}99.5,other,Secretville1\n`;
      expect(await other(more)).toMatchObject({ code: null });
      const totals =
        "SELECT sector, COUNT(*) AS n FROM people GROUP BY ROLLUP (sector) ORDER BY n DESC LIMIT 2";
      expect((await other(more, totals)).out).toMatch(/ok +the question .* with \d+ draws frozen/);
      expect((await other(more, "SELECT wage FROM people")).code).toBe("query.unsupported");
      expect((await other(more, "SELECT COUNT(*) FROM people WHERE wage < $1")).code).toBe("query.parameter");
      const dear = "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 1000) COUNT(*) FROM people";
      expect(await other(more, dear)).toMatchObject({
        code: "ledger.budget",
        error: expect.stringContaining("fix: name a lower price with --epsilon"),
      });
      expect((await other(peopleCsv)).out).toMatch(/differences: 0; no exact number differs/);
      const two = await other(`${peopleCsv}99.5,other,x\n99.5,other,y\n`);
      expect(two.code).toBe("audit.finding");
      const [, moved, paid] = /SUM\(wage − lowest\) and .*: ℓ1 (\d+) > (\d+);/.exec(two.out) ?? [];
      expect(Number(moved)).toBe(2 * Number(paid));
    }));

  test("of a question whose units have more rows than count, whatever seed the neighbour has", () =>
    inFolder({ "lethe.yaml": ofVisits, "visits.csv": visits }, async () => {
      for (const argv of [["init"], ["import", "visits.csv"]])
        expect(await lethe(...argv)).toMatchObject({ code: null });
      const home = process.cwd();
      const spent = (await lethe("budget", "--format", "json")).out;
      await inFolder({ "lethe.yaml": ofVisits, "visits.csv": `${visits}new,a\n` }, async (folder) => {
        for (const argv of [["init"], ["import", "visits.csv"]])
          expect(await lethe(...argv)).toMatchObject({ code: null });
        process.chdir(home);
        const asked = ["--question", "SELECT ward, COUNT(*) FROM visits WHERE ward <> $1 GROUP BY ward"];
        const said = await lethe("audit", ...asked, "--param", "1=b", "--neighbour", `${folder}/lethe.yaml`);
        expect(said).toMatchObject({ error: "", code: null });
        expect(said.out).toMatch(/answers: .*\n.*\n.*\nok +the question/);
        writeFileSync(`${folder}/lethe.yaml`, ofVisits.replace("[a, b]", "[a, b, c]"));
        const differing = await lethe("audit", ...asked, "--neighbour", `${folder}/lethe.yaml`);
        expect(differing).toMatchObject({
          code: "cli.usage",
          error: expect.stringContaining("differs in more"),
        });
        writeFileSync(`${folder}/lethe.yaml`, ofVisits);
        rmSync(`${folder}/.lethe/snapshots`, { recursive: true });
        const bare = await lethe("audit", ...asked, "--param", "1=b", "--neighbour", `${folder}/lethe.yaml`);
        expect(bare).toMatchObject({
          code: "engine.not-imported",
          error: expect.stringContaining("in the folder of the neighbour's policy: lethe import visits.csv"),
        });
        writeFileSync(`${folder}/lethe.yaml`, ofVisits.replace("visits.csv", "gone.parquet"));
        const gone = await lethe("audit", ...asked, "--param", "1=b", "--neighbour", `${folder}/lethe.yaml`);
        expect(gone).toMatchObject({
          code: "engine.source",
          error: expect.stringContaining("on the neighbour"),
        });
        writeFileSync("beside.yaml", ofVisits.replace("visits.csv", "more.csv"));
        const beside = await lethe("audit", ...asked, "--param", "1=b", "--neighbour", "beside.yaml");
        expect(beside).toMatchObject({
          code: "policy.changed",
          error: expect.stringContaining("in a folder of its own"),
        });
      });
      expect((await lethe("budget", "--format", "json")).out).toBe(spent);
    }));

  test("of tables of which some cannot be asked", () =>
    inFolder({ "lethe.yaml": withFaults, "visits.csv": "person,cost,ward\np,3,a\n" }, async () => {
      for (const argv of [["init"], ["import", "--table", "visits"]])
        expect(await lethe(...argv)).toMatchObject({ code: null });
      const all = await lethe("audit", "--only", "policy");
      expect(all.code).toBe("audit.finding");
      expect(all.out).toMatch(/FINDING +stays .*engine\.source: /);
      expect(all.out).toMatch(/FINDING +odd .*query\.unknown-function: in the view odd: /);
      expect(all.out).toMatch(/told +twins .*every plain question is refused: query\.unsupported/);
      const two = await lethe("audit", "--only", "policy", "--subjects", "visits,both");
      expect(two).toMatchObject({ code: null });
      expect(two.out).toMatch(/ok +visits .* 0 of 5; refused: none/);
      expect(two.out).toMatch(/ok +both .* 0 of 1/);
      expect(two.out).not.toContain("stays");
      for (const [name, how] of [
        ["visits", "counts, sums, averages and groups of each column, each run twice"],
        ["both", "a count of the view, run twice"],
      ] as const) {
        const alone = await lethe("audit", "--only", "policy", "--subjects", name);
        expect(alone.out.replace(/\s+/g, " ")).toContain(how);
      }
    }));

  test("names three of many questions that are refused alike, and how many more there are", () => {
    const names = ["cost", "fee", "tip", "tax"];
    const columns = names.map((name) => `${name}: { type: text }`).join(", ");
    const files = {
      "lethe.yaml": withFaults
        .replace("cost: { type: number }", columns)
        .replace("approximate, epsilon: 0.5, delta: 1e-6", "pure, epsilon: 0.5"),
      "visits.csv": `person,${names.join(",")},ward\np,3,1,2,4,a\n`,
    };
    return inFolder(files, async () => {
      for (const argv of [["init"], ["import", "--table", "visits"]])
        expect(await lethe(...argv)).toMatchObject({ code: null });
      const said = await lethe("audit", "--only", "policy", "--subjects", "visits");
      const shown = names.slice(0, 3).map((name) => `"${name}", COUNT(*)`);
      expect(said.out).toContain(`query.missing-delta (${shown.join("; ")}; and 1 more)`);
    });
  });

  test.each([
    [["--only", "everything"], "cli.usage"],
    [["--only", "replay", "--subjects", "nobody"], "cli.usage"],
    [["--function", "f.mjs#count"], "cli.usage"],
    [["--function", "gone.mjs#count", "--neighbours", "pairs.json"], "cli.file"],
    [["--function", "f.mjs#count", "--neighbours", "f.mjs"], "cli.usage"],
    [["--question", "SELECT COUNT(*) FROM people"], "cli.usage"],
    [["--question", "SELECT COUNT(*) FROM people", "--function", "f.mjs#count"], "cli.usage"],
    [["--question", "SELECT COUNT(*) FROM people", "--only", "policy"], "cli.usage"],
    [["--function", "f.mjs#count", "--neighbours", "pairs.json", "--policy", "p.yaml"], "cli.usage"],
    [["--only", "verify", "--epsilon", "1"], "cli.usage"],
    [["--only", "verify", "--neighbour", "p.yaml"], "cli.usage"],
    [["--only", "verify", "--quick", "--soak", "2"], "cli.usage"],
    [["--only", "verify", "--soak", "2"], "cli.usage"],
    [["--only", "policy"], "policy.unreadable"],
    [["--seed", "x"], "parameter.invalid"],
    [["--report", "page.pdf"], "cli.usage"],
    [["--report", "gone/page.html"], "cli.file"],
    [["--report", "f.mjs/page.html"], "cli.file"],
  ])("refuses %s", (argv, code) =>
    inFolder(files, async () => {
      expect((await lethe("audit", ...argv)).code).toBe(code);
    }),
  );
});
