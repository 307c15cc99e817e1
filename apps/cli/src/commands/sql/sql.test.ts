import { mkdtempSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { describeTables } from "@lethe/query";
import { beforeAll, describe, expect, it } from "vitest";
import { charges, lethe, peopleCsv, secret, setUp } from "../../testing/command-line.ts";
import { oneFolder } from "../../testing/one-folder.ts";
import { policyOf, workspaceOf } from "../../workspace.ts";
import { completer } from "./complete.ts";
import { asOneLine, historyPath, openHistory } from "./history.ts";
import { sql } from "./sql.ts";

oneFolder({ "people.csv": peopleCsv }, async () => {
  await setUp("--epsilon", "1000");
});

/** Types these lines, and returns what was shown. */
async function typed(lines: readonly string[], flags: object = {}): Promise<string> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  let shown = "";
  output.on("data", (part) => {
    shown += String(part);
  });
  // Each answer is paid for, whatever the tests before have asked.
  const fresh = true as const;
  const asked = { policy: "lethe.yaml", as: "owner", epsilon: "1", confidence: "0.95", fresh, ...flags };
  const session = sql(asked, { input, output, width: () => 80 });
  input.end(`${lines.join("\n")}\n`);
  await session;
  return shown;
}

const count = "SELECT COUNT(*) AS n FROM people;";

describe("a session", () => {
  it("shows the price, and pays once the person says yes", async () => {
    const before = await charges();
    const shown = await typed([count, "y"]);
    expect(shown).toMatch(
      /Price {3}ε 1, of ε \d+(, δ 1e-6)? left\nError {3}expected[^\n]*\n +n: ± \d+ in a group of any size\nPay ε 1\? \[y\/N\] /,
    );
    expect(shown).toMatch(/n +95 % interval/);
    expect(await charges()).toBe(before + 1);
    expect(shown).not.toMatch(secret);
  });

  it.each([[["n"]], [[""]], [[]], [["yessir", "\\q"]]])(
    "charges nothing for the answer %j",
    async (answer) => {
      const before = await charges();
      const shown = await typed([count, ...answer]);
      expect(shown).toContain("Nothing was asked or charged.");
      expect(await charges()).toBe(before);
    },
  );

  it("reads a line that is no answer as what comes next", async () => {
    const shown = await typed([count, "SHOW TABLES;"]);
    expect(shown).toContain("Nothing was asked or charged.");
    expect(shown).toMatch(/people +private +each row is one person/);
  });

  it("reads statements of several lines, several on one line, and none that does not end", async () => {
    const before = await charges();
    const shown = await typed([
      "SELECT sector, ';'",
      "AS semicolon, COUNT(*) -- no; end",
      "FROM people GROUP BY sector; SHOW TABLES;",
      "",
      "SELECT COUNT(*)",
    ]);
    expect(shown).toContain("does not end with ; and was not asked");
    expect(await charges()).toBe(before);
  });

  it("pays up to a limit without asking, and asks beyond it", async () => {
    const before = await charges();
    const shown = await typed(["\\auto on 2", count, "SELECT AVG(wage) FROM people;", count, "n", "\\auto"]);
    expect(shown.match(/Pay ε 1\?/g)).toHaveLength(1);
    expect(shown).toContain("until 2 is spent so (2 until now)");
    expect(await charges()).toBe(before + 2);
  });

  it("shows an answer that is there, and asks nobody to pay for it", async () => {
    const text = "SELECT COUNT(*) AS there FROM people WHERE wage > 12;";
    const before = await charges();
    const shown = await typed(
      [text, "y", text, "SELECT COUNT(*) AS again /* the same */ FROM people WHERE wage > 12;"],
      {
        fresh: undefined,
      },
    );
    expect(await charges()).toBe(before + 1);
    expect(shown.match(/Pay ε 1\?/g)).toHaveLength(1);
    expect(shown.match(/^As of /gm)).toHaveLength(2);
    expect(shown).toMatch(/^ ?again +95 % interval/m);
    expect(await typed([text, "n"])).toContain("Nothing was asked or charged.");
  });

  it("shows an answer that releases make, and tells of one that is too wide to be given unasked", async () => {
    const fine = "SELECT sector, wage > 13 AS high, COUNT(*) AS n FROM people WHERE wage > 2 GROUP BY 1, 2;";
    const coarse = "SELECT sector, COUNT(*) AS n FROM people WHERE wage > 2 GROUP BY sector;";
    const total = "SELECT COUNT(*) AS n FROM people WHERE wage > 2;";
    const before = await charges();
    const shown = await typed([fine, "y", coarse, total, "n"], { fresh: undefined });
    expect(await charges()).toBe(before + 1);
    expect(shown.match(/Pay ε 1\?/g)).toHaveLength(2);
    expect(shown).toMatch(/^Made {4}of q-[0-9a-f]{32}-1, as of /m);
    expect(shown.replace(/\s+/g, " ")).toMatch(
      /Made for nothing, lethe query --made gives what q-[0-9a-f]{32}-1 makes, off by at most n ±/,
    );
  });

  it("tells tables, plans and the budget for nothing", async () => {
    const before = await charges();
    const shown = await typed([
      "\\d",
      "\\d people",
      `\\explain ${count}`,
      "\\budget",
      "\\?",
      "\\epsilon 1/3",
      "DESCRIBE people;",
      "EXPLAIN PRIVACY SELECT COUNT(*) FROM people;",
      "\\q",
      count,
    ]);
    for (const words of [
      "each row is one person",
      "manufacturing, construction, other",
      "Ask\n",
      "nothing is charged, no row is read",
      "granted",
      "\\auto on LIMIT",
      "Price: ε 1/3.",
      "Price   ε 0.33",
    ])
      expect(shown).toContain(words);
    expect(shown).not.toContain("Pay ε");
    expect(await charges()).toBe(before);
    for (const line of shown.split("\n"))
      if (!/[├└│]|Expected|bounds|sum|count/.test(line)) expect(line.length, line).toBeLessThan(160);
  });

  it("goes on after an error, which it tells with its place", async () => {
    const shown = await typed([
      "SELECT AVG(salary)",
      "FROM people;",
      "\\nosuch",
      "\\auto on",
      "\\d nobody",
      "-;",
      "SHOW TABLES;",
    ]);
    expect(shown).toContain("error [query.unknown-column]");
    expect(shown).toContain("at line 1, column 12");
    expect(shown).toContain("there is no command \\nosuch");
    expect(shown.match(/error \[cli\.usage\]/g)).toHaveLength(2);
    expect(shown).toContain("error [query.syntax]");
    expect(shown).toMatch(/people +private/);
  });
});

describe("completion", () => {
  let complete: ReturnType<typeof completer>;
  beforeAll(async () => {
    complete = completer(await describeTables(policyOf(workspaceOf("lethe.yaml"))));
  });

  it.each([
    ["", "\\b", ["\\budget"]],
    ["", "\\d peo", ["people"]],
    ["", "SELECT COUNT(*) FROM p", ["people"]],
    ["", "SELECT p.sec", []],
    ["", "SELECT COUNT(*) FROM people p WHERE p.w", ["wage"]],
    ["SELECT COUNT(*)\n", "FROM people WHERE sector = 'c", ["construction"]],
    ["", "SELECT COUNT(*) FROM people WHERE sector IN ('other', 'm", ["manufacturing"]],
    ["", "SELECT medi", ["median("]],
    ["", "SEL", ["SELECT"]],
    ["", "sel", ["select"]],
  ])("%j %j", (before, line, expected) => {
    expect(complete(before, line)[0]).toEqual(expected);
  });
});

describe("the history", () => {
  it("is a file of its owner alone, the newest first", () => {
    const path = join(mkdtempSync(join(tmpdir(), "lethe-history-")), "history");
    const history = openHistory(path);
    history.add("SELECT 1;");
    history.add("SELECT 2;");
    expect(readFileSync(path, "utf8")).toBe("SELECT 1;\nSELECT 2;\n");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(openHistory(path).lines).toEqual(["SELECT 2;", "SELECT 1;"]);
    expect(openHistory(null).lines).toEqual([]);
    expect(historyPath({ LETHE_HISTORY: "" })).toBeNull();
    expect(historyPath({})).toMatch(/\.lethe_history$/);
  });

  it("keeps a statement as one line where that means the same", () => {
    expect(asOneLine("SELECT 1\n  FROM people;")).toBe("SELECT 1 FROM people;");
    expect(asOneLine("SELECT 1 -- one\nFROM people;")).toBeNull();
  });
});

it("lethe query answers the catalog for nothing, in every format", async () => {
  const before = await charges();
  const asked = "SELECT column_name, data_type FROM information_schema.columns WHERE column_name = 'wage'";
  expect(JSON.parse((await lethe("query", asked, "--format", "json")).out)).toEqual([
    { column_name: "wage", data_type: "double precision" },
  ]);
  expect((await lethe("query", asked, "--format", "csv")).out).toBe(
    "column_name,data_type\nwage,double precision",
  );
  expect((await lethe("query", "DESCRIBE people")).out).toMatch(/wage +number +true +— +0 … 60/);
  expect((await lethe("query", "SHOW TABLES", "--out", "x.json")).code).toBe("cli.usage");
  expect((await lethe("tables")).out).toContain(
    "SELECT sector, COUNT(*), AVG(wage) FROM people GROUP BY sector;",
  );
  expect(JSON.parse((await lethe("tables", "people", "--format", "json")).out)[0].columns).toHaveLength(3);
  expect((await lethe("tables", "nobody")).code).toBe("query.unknown-table");
  expect(await charges()).toBe(before);
});
