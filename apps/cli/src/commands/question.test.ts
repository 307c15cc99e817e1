import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import type { Release } from "@lethe/gateway";
import { describe, expect, it } from "vitest";
import { findBrowser } from "../plot/browser.ts";
import { charges, inFolder, lethe, peopleCsv, secret, setUp } from "../testing/command-line.ts";
import { oneFolder } from "../testing/one-folder.ts";

const bySector = "SELECT sector, COUNT(*) AS people, AVG(wage) AS wage FROM people GROUP BY sector";
const count = "SELECT COUNT(*) FROM people";

oneFolder({ "people.csv": peopleCsv }, async () => {
  await setUp("--epsilon", "1000");
});

describe("lethe explain", () => {
  it("shows plan, price and expected error, and touches no row", async () => {
    const before = await charges();
    const { out, code } = await lethe("explain", bySector, "--epsilon", "1");
    expect(code).toBeNull();
    expect(out).toContain("Price   ε 1   (nothing is charged, no row is read)");
    expect(out).toContain("discrete-laplace@1");
    expect(out).toContain("Expected error (half of the 95 % interval)");
    expect(await charges()).toBe(before);
    const json = JSON.parse((await lethe("explain", bySector, "--epsilon", "1/3", "--format", "json")).out);
    expect(json.price).toMatchObject({ epsilon: "1/3" });
  });

  it("needs neither import nor ledger", () =>
    inFolder({ "lethe.yaml": readFileSync("lethe.yaml") }, async () => {
      expect((await lethe("explain", count, "--epsilon", "1")).code).toBeNull();
    }));

  it("is what EXPLAIN PRIVACY asks for, wherever a question is taken", () =>
    inFolder({ "lethe.yaml": readFileSync("lethe.yaml") }, async () => {
      const explained = await lethe("explain", count, "--epsilon", "1");
      for (const command of ["query", "explain"]) {
        const stated = await lethe(command, `EXPLAIN PRIVACY ${count}`, "--epsilon", "1");
        expect(stated).toEqual(explained);
        const json = await lethe(command, `EXPLAIN PRIVACY ${count}`, "--epsilon", "1", "--format", "json");
        expect(JSON.parse(json.out).price).toMatchObject({ epsilon: "1" });
      }
      for (const [said, ...more] of [
        ["--format csv", "--format", "csv"],
        ["--out", "--out", "plan.json"],
        ["--plot", "--plot", "plan.svg"],
        ["--out", "--out", "plan.json", "--plot", "plan.svg", "--format", "csv"],
      ]) {
        const refused = await lethe("query", `EXPLAIN PRIVACY ${count}`, "--epsilon", "1", ...more);
        expect(refused).toMatchObject({
          code: "cli.usage",
          out: "",
          error: expect.stringContaining(`gives a plan and no release: ${said} has nothing to write\n`),
        });
      }
      expect(existsSync("plan.json") || existsSync("plan.svg")).toBe(false);
      // Neither ledger nor seed nor log was made or read.
      expect(existsSync(".lethe")).toBe(false);
    }));

  it("lets no text steer the terminal", async () => {
    const sql = `SELECT COUNT(*) FROM people WHERE city = '\u001b[31mred\u009b\u202e\u2028'`;
    const { out } = await lethe("explain", sql, "--epsilon", "1");
    expect(out).toContain("city = '\\u{1b}[31mred\\u{9b}\\u{202e}\\u{2028}'");
    const json = (await lethe("explain", sql, "--epsilon", "1", "--format", "json")).out;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not reach a terminal
    expect(json).not.toMatch(/[\u0000-\u0009\u001b\u007f-\u009f\u202e\u2028]/);
    expect(JSON.parse(json).text).toBe(sql);
  });
});

describe("parameters", () => {
  const where = "SELECT COUNT(*) FROM people WHERE sector = $1 AND wage > $2 AND $3";

  it("are bound, from either flag, and hold what stands in them", async () => {
    const said = ["--epsilon", "1", "--format", "json"];
    const one = await lethe(
      "explain",
      where,
      ...said,
      "--param",
      "2=4.5",
      "--param",
      "1=other",
      "--param",
      "3=true",
    );
    const all = await lethe("explain", where, ...said, "--params", '["other", 4.5, true]');
    expect(one.code).toBeNull();
    expect(one).toEqual(all);
    expect(one.out).toContain("(sector = 'other') AND (wage > 4.5) AND TRUE");
    const hostile = `x' OR '1'='1"; DROP TABLE people; -- $2`;
    const text = await lethe(
      "explain",
      "SELECT COUNT(*) FROM people WHERE city = $1",
      ...said,
      "--param",
      `1=${hostile}`,
    );
    expect(text.out).toContain(`city = 'x'' OR ''1''=''1\\"; DROP TABLE people; -- $2'`);
  });

  it("are verified with the release that they asked for", async () => {
    const sql = "SELECT COUNT(*) FROM people WHERE city = $1";
    const asked = ["--epsilon", "1", "--out", "bound.json", "--param", '1="Secretville1"'];
    expect((await lethe("query", sql, ...asked)).code).toBeNull();
    const known = ["--policy", "lethe.yaml", "--public-key", ".lethe/ledger/ledger.pub"];
    expect((await lethe("verify", "bound.json", ...known)).code).toBeNull();
  });

  it.each<[string, string[], string, RegExp]>([
    ["a missing value", ["--param", "1=other", "--param", "3=true"], "cli.usage", /no value for \$2/],
    ["no value at all", [], "query.parameter", /\$1 has no value/],
    ["one too few", ["--params", '["other", 1]'], "query.parameter", /\$3 has no value/],
    ["one too many", ["--params", '["other", 1, true, 4]'], "query.parameter", /no \$4/],
    ["a text for a number", ["--params", '["other", "1", true]'], "query.type", /./],
    ["a list in the list", ["--params", '["other", [1], true]'], "cli.usage", /JSON list/],
    ["no list", ["--params", '"other"'], "cli.usage", /JSON list/],
    ["no JSON", ["--params", "[other]"], "cli.usage", /JSON list/],
    ["both flags", ["--params", "[1]", "--param", "1=2"], "cli.usage", /together/],
    ["a value twice", ["--param", "1=2", "--param", "1=2"], "cli.usage", /twice/],
    ["no number", ["--param", "other"], "cli.usage", /number and a value/],
    ["number 0", ["--param", "0=1"], "cli.usage", /number and a value/],
  ])("refuse %s", async (_, flags, code, says) => {
    const said = await lethe("explain", where, "--epsilon", "1", ...flags);
    expect(said.code).toBe(code);
    expect(said.error).toMatch(says);
  });
});

describe("lethe query --plot", () => {
  it("draws the answer beside printing it", async () => {
    const { code, out } = await lethe("query", bySector, "--epsilon", "1", "--plot", "answer.svg");
    expect(code).toBeNull();
    expect(out).toContain("manufacturing");
    const svg = readFileSync("answer.svg", "utf8");
    expect(svg).toMatch(/^<svg /);
    expect(svg).toContain("people, wage by sector");
  });

  it("needs a browser for pixels, and says so before it pays", async () => {
    const before = await charges();
    const { LETHE_CHROMIUM: named, ...env } = process.env;
    try {
      process.env.LETHE_CHROMIUM = "/no/such/browser";
      const { code, error } = await lethe("query", bySector, "--epsilon", "1", "--plot", "answer.png");
      expect(code).toBe("cli.usage");
      expect(error).toContain("name it .svg");
    } finally {
      if (named === undefined) delete process.env.LETHE_CHROMIUM;
      else process.env.LETHE_CHROMIUM = named;
    }
    expect(await charges()).toBe(before);
    expect(findBrowser({ ...env, PATH: "" })).toBeNull();
  });

  it.skipIf(findBrowser() === null)("draws a PNG with the browser that is there", async () => {
    const said = await lethe(
      "query",
      bySector,
      "--epsilon",
      "1",
      "--plot",
      "answer.png",
      "--request",
      "pixels",
    );
    expect(said).toMatchObject({ code: null, error: "" });
    const png = readFileSync("answer.png");
    expect(png.subarray(1, 4).toString()).toBe("PNG");
    expect(png.readUInt32BE(16)).toBe(2 * 916);
  });

  it("looks before it pays", async () => {
    writeFileSync("taken.svg", "");
    const before = await charges();
    for (const [file, code] of [
      ["answer.jpg", "cli.usage"],
      ["answer", "cli.usage"],
      ["taken.svg", "cli.file"],
      ["nowhere/answer.svg", "cli.file"],
    ] as const) {
      expect(await lethe("query", bySector, "--epsilon", "1", "--plot", file)).toMatchObject({
        code,
        out: "",
      });
    }
    expect(
      (await lethe("query", `EXPLAIN PRIVACY ${count}`, "--epsilon", "1", "--plot", "plan.svg")).code,
    ).toBe("cli.usage");
    expect(await charges()).toBe(before);
  });
});

describe("a target error", () => {
  it("is explained, and paid for", async () => {
    const { out } = await lethe("explain", count, "--target-error", "5");
    expect(out).toMatch(/^Target {2}± 5: reached with ± 5 at ε 0\.\d+, the lowest ε of four digits$/m);
    const price = /^Price {3}(ε [\d.]+)/m.exec(out)![1];
    expect((await lethe("query", count, "--target-error", "5")).out).toContain(`Price   ${price}, charged`);
    const surer = await lethe("explain", count, "--target-error", "5", "--confidence", "0.999");
    expect(surer.out).toContain("half of the 99.9 % interval");
    const dearer = /^Price {3}ε ([\d.]+)/m.exec(surer.out)![1];
    expect(Number(dearer)).toBeGreaterThan(Number(price!.slice(2)));
  });

  it("may be of the odds instead: the most that a test of membership gains", async () => {
    const { out } = await lethe("explain", count, "--advantage", "0.1", "--mechanism", "gaussian");
    expect(out).toMatch(
      /^Odds {4}no test of membership gains more than (9\.\d+|10\.0) % over guessing from this answer, of 10\.0 % stated: at ε \d/m,
    );
    const price = /^Price {3}(ε [\d.]+)/m.exec(out)![1];
    const paid = await lethe("query", count, "--advantage", "0.1", "--mechanism", "gaussian");
    expect(paid.out).toContain(`Price   ${price}`);
    for (const [words, code] of [
      [["--advantage", "1"], "parameter.invalid"],
      [["--advantage", "none"], "parameter.invalid"],
      [["--advantage", "0.1", "--epsilon", "1"], "query.option"],
    ] as const)
      expect(await lethe("query", count, ...words)).toMatchObject({ code, out: "" });
  });

  it("may be a share of a release, by its file or its id, or of a pilot", async () => {
    await lethe("query", count, "--epsilon", "20", "--request", "leant-on", "--out", "leant-on.json");
    for (const named of ["leant-on.json", "leant-on"]) {
      const share = ["--target-error", "5%", "--target-release", named];
      const { out } = await lethe("explain", count, ...share);
      expect(out).toMatch(
        /^Target {2}± [\d.]+ \(1\/20 of what leant-on released: .*\): reached with ± [\d.]+ at ε/m,
      );
      const price = /^Price {3}(ε [\d.]+)/m.exec(out)![1];
      expect((await lethe("query", count, ...share, "--fresh", "--out", `by-${named}`)).out).toContain(
        `Price   ${price}, charged`,
      );
      expect((await lethe("verify", `by-${named}`, "--target-release", "leant-on.json")).out).toMatch(
        /^ok .*target/m,
      );
    }
    const pilot = ["--target-error", "10%", "--pilot-epsilon", "2", "--max-epsilon", "9"];
    expect((await lethe("explain", count, ...pilot)).out).toMatch(
      /^Price {3}at most ε 11 .*\nPilot {3}ε 2 for/,
    );
    const { out } = await lethe("query", count, ...pilot);
    expect(out).toMatch(/^Price {3}ε [\d.]+: ε 2 for the pilot, ε [\d.]+ for the answer, charged/m);
  });

  it.each<[string, string[], RegExp]>([
    ["of nothing", ["--target-error", "0"], /above 0/],
    [
      "of no release",
      ["--target-error", "5%", "--target-release", "never-asked"],
      /has no release under the id/,
    ],
    ["of no file of ours", ["--target-error", "5%", "--target-release", "lethe.yaml"], /holds no release/],
    [
      "of a pilot without a cap",
      ["--target-error", "5%", "--pilot-epsilon", "1"],
      /nothing limits the price/,
    ],
    ["of text", ["--target-error", "small"], /target error/],
    ["beside a price", ["--target-error", "5", "--epsilon", "1"], /stated together/],
    ["of half a row", ["--target-error", "5", "--target-rows", "0.5"], /whole number/],
    ["of a share of unknown rows", ["--target-error-relative", "0.1"], /expected_rows/],
  ])("%s is refused, free", async (_, flags, says) => {
    const before = await charges();
    const { error } = await lethe("query", count, ...flags);
    expect(error).toMatch(says);
    expect(await charges()).toBe(before);
  });
});

describe("lethe query", () => {
  it("prints a table with intervals, price, what is left", async () => {
    const { out, code } = await lethe("query", bySector, "--epsilon", "20");
    expect(code).toBeNull();
    const [header, rule, ...rows] = out.split("\n");
    expect(header).toMatch(/^sector +people +95 % interval +wage +95 % interval$/);
    expect(rule).toMatch(/^─+( {2}─+)+$/);
    expect(rows.slice(0, 3).map((row) => row.split(" ")[0])).toEqual([
      "manufacturing",
      "construction",
      "other",
    ]);
    expect(out).toMatch(/^Price {3}ε 20, charged to owner as q-[0-9a-f]{32}-1$/m);
    expect(out).toMatch(/^Left {4}ε \d/m);
    expect(out).not.toMatch(secret);
  });

  it("prints CSV: a column a key, three an aggregate", async () => {
    const { out } = await lethe("query", bySector, "--epsilon", "20", "--format", "csv");
    const lines = out.split("\n");
    expect(lines[0]).toBe("sector,people,people_lower,people_upper,wage,wage_lower,wage_upper");
    expect(lines).toHaveLength(4);
    for (const line of lines.slice(1)) expect(line.split(",")).toHaveLength(7);
  });

  it("prints and writes JSON that verifies; a changed one does not", async () => {
    const { out } = await lethe(
      "query",
      count,
      "--epsilon",
      "1",
      "--format",
      "json",
      "--out",
      "release.json",
    );
    const release = JSON.parse(out) as Release;
    const { answer, ...signed } = release as Release & { readonly answer: { readonly columns: unknown } };
    expect(answer.columns).toEqual([{ name: "count", kind: "aggregate" }]);
    expect(JSON.parse(readFileSync("release.json", "utf8"))).toEqual(signed);
    const known = ["--policy", "lethe.yaml", "--public-key", ".lethe/ledger/ledger.pub"];
    const verified = await lethe("verify", "release.json", ...known);
    expect(verified).toMatchObject({ code: null, out: expect.stringContaining("What this cannot show:") });
    expect(verified.out).not.toContain("FAILED");
    expect(verified.out).not.toContain("not made");
    expect(verified.out).toMatch(/^ok +rows +\S/m);
    const unknown = await lethe("verify", "release.json");
    expect(unknown).toMatchObject({ code: null, error: "" });
    expect(unknown.out).toMatch(/^not made +policy +\S/m);
    expect(unknown.out).toMatch(/^ok +rows +\S/m);

    writeFileSync(
      "tampered.json",
      readFileSync("release.json", "utf8").replace(
        /"value": (-?\d+)/,
        (_, value) => `"value": ${Number(value) + 1}`,
      ),
    );
    const tampered = await lethe("verify", "tampered.json", ...known);
    expect(tampered.code).toBe("release.invalid");
    expect(tampered.out).toMatch(/FAILED +rows/);
    const checks = tampered.out.slice(0, tampered.out.indexOf("\n\n")).split("\n").slice(2);
    const failed = checks.filter((line) => line.startsWith("FAILED")).length;
    expect(tampered.error).toContain(`${failed} of ${checks.length} checks failed`);
    const json = await lethe("verify", "tampered.json", ...known, "--format", "json");
    expect(json.code).toBe("release.invalid");
    expect(JSON.parse(json.out).checks).toContainEqual(expect.objectContaining({ outcome: "failed" }));
  });

  it("answers one request id once", async () => {
    const first = await lethe("query", count, "--epsilon", "1", "--request", "monday", "--format", "csv");
    const before = await charges();
    const again = await lethe("query", count, "--epsilon", "1", "--request", "monday", "--format", "csv");
    expect(again).toEqual(first);
    const other = await lethe("query", bySector, "--epsilon", "1", "--request", "monday");
    expect(other.code).toBe("ledger.request");
    expect(await charges()).toBe(before);
  });

  it("reads numbers exactly, and fractions", async () => {
    const { out } = await lethe("query", count, "--epsilon", "1/3", "--confidence", "0.99");
    expect(out).toContain("99 % interval");
    expect(out).toContain("Price   ε 0.333334");
    expect((await lethe("query", count, "--epsilon", "1", "--confidence", "0.99999999")).out).toContain(
      "99.9999 % interval",
    );
  });

  it("says so where no row is released", async () => {
    const sql = `${bySector} HAVING COUNT(*) > 1000000`;
    expect((await lethe("query", sql, "--epsilon", "1")).out).toContain("No row was released.");
  });

  it("overwrites nothing, and looks before it pays", async () => {
    mkdirSync("folder");
    const before = await charges();
    const data = readFileSync("people.csv");
    for (const [out, message] of [
      ["people.csv", /exists, and nothing is overwritten/],
      ["folder", /exists/],
      ["no/release.json", /folder does not exist/],
      ["", /no file name/],
    ] as const) {
      const said = await lethe("query", count, "--epsilon", "1", "--out", out);
      expect(said).toMatchObject({ code: "cli.file", out: "" });
      expect(said.error).toMatch(message);
      expect(said.error).toContain("nothing was charged");
    }
    expect(readFileSync("people.csv")).toEqual(data);
    expect(await charges()).toBe(before);
  });

  it.each<[string, string[], string, RegExp]>([
    [
      "an unknown table",
      ["SELECT COUNT(*) FROM peoples", "--epsilon", "1"],
      "query.unknown-table",
      /did you mean "people"/,
    ],
    [
      "an unknown column",
      ["SELECT AVG(wages) FROM people", "--epsilon", "1"],
      "query.unknown-column",
      /did you mean "wage"/,
    ],
    [
      "an unknown function",
      ["SELECT AVG(pg_sleep(1)) FROM people", "--epsilon", "1"],
      "query.unknown-function",
      /PG_SLEEP/,
    ],
    ["rows", ["SELECT * FROM people", "--epsilon", "1"], "query.unsupported", /single rows are never shown/],
    ["a list", ["SELECT ARRAY_AGG(wage) FROM people", "--epsilon", "1"], "query.unsupported", /ARRAY_AGG/],
    ["text for a number", ["SELECT AVG(city) FROM people", "--epsilon", "1"], "query.type", /city is a text/],
    [
      "missing bounds",
      ["SELECT MEDIAN(CAST(city AS double precision)) FROM people", "--epsilon", "1"],
      "query.missing-bounds",
      /bounds/,
    ],
    ["no SQL", ["SELEC 1", "--epsilon", "1"], "query.syntax", /at line 1, column 1\n {4}SELEC 1\n {4}\^/],
    ["nothing", ["", "--epsilon", "1"], "query.syntax", /no question/],
    [
      "two questions",
      [`${count}; ${count}`, "--epsilon", "1"],
      "query.unsupported",
      /one question at a time/,
    ],
    ["a change of data", ["DELETE FROM people", "--epsilon", "1"], "query.unsupported", /only a SELECT/],
    [
      "a deep question",
      [`SELECT ${"(".repeat(3000)}1${")".repeat(3000)}`, "--epsilon", "1"],
      "query.too-large",
      /./,
    ],
    ["a long question", [`${count} -- ${"x".repeat(70_000)}`, "--epsilon", "1"], "query.too-large", /64 KiB/],
    ["no ε", [count], "query.option", /states no price/],
    ["ε of 0", [count, "--epsilon", "0"], "query.option", /epsilon/],
    ["ε below 0", [count, "--epsilon=-1"], "query.option", /epsilon/],
    ["ε of NaN", [count, "--epsilon", "NaN"], "parameter.invalid", /epsilon must be .* got NaN/],
    ["ε of infinity", [count, "--epsilon", "Infinity"], "parameter.invalid", /got Infinity/],
    ["ε of text", [count, "--epsilon", "much"], "parameter.invalid", /got much/],
    ["ε of nothing", [count, "--epsilon", ""], "parameter.invalid", /epsilon/],
    ["ε beyond doubles", [count, "--epsilon", "1e400"], "query.option", /epsilon/],
    ["ε of 1/0", [count, "--epsilon", "1/0"], "parameter.invalid", /denominator/],
    ["δ of 1", [count, "--epsilon", "1", "--delta", "1"], "query.option", /delta/],
    [
      "confidence in percent",
      [count, "--epsilon", "1", "--confidence", "95"],
      "parameter.invalid",
      /between 0 and 1, both excluded, got 95/,
    ],
    ["confidence of text", [count, "--epsilon", "1", "--confidence", "x"], "parameter.invalid", /got x/],
    [
      "confidence of nothing",
      [count, "--epsilon", "1", "--confidence", ""],
      "parameter.invalid",
      /confidence/,
    ],
    ["the whole budget and more", [count, "--epsilon", "2000"], "ledger.budget", /question of at most ε \d+/],
    ["no name for who asks", [count, "--epsilon", "1", "--as", ""], "parameter.invalid", /principal/],
    [
      "an escape for who asks",
      [count, "--epsilon", "1", "--as", "\u001b[2J"],
      "parameter.invalid",
      /\\u\{1b\}\[2J/,
    ],
    ["no request id", [count, "--epsilon", "1", "--request", ""], "parameter.invalid", /request id/],
    [
      "an escape in an alias",
      [`SELECT COUNT(*) AS "\u001b[31m" FROM people`, "--epsilon", "1"],
      "query.unsupported",
      /\\u\{1b\}/,
    ],
    [
      "an escape in a name",
      [`SELECT "\u001b]0;x\u0007" FROM people`, "--epsilon", "1"],
      "query.unknown-column",
      /column/,
    ],
    ["an unquoted question", ["SELECT", "COUNT(*)", "FROM", "people"], "cli.usage", /one pair of quotes/],
    ["a comment first", ["-- how many\nSELECT", "--epsilon", "1"], "cli.usage", /write -- before/],
    ["an unknown format", [count, "--epsilon", "1", "--format", "xml"], "cli.usage", /table, json, csv/],
    ["an unknown option", [count, "--espilon", "1"], "cli.usage", /--espilon.*did you mean.*--help shows/is],
    ["a missing value", [count, "--epsilon"], "cli.usage", /argument missing/],
    ["a missing policy", [count, "--policy", "no.yaml"], "policy.unreadable", /lethe init FILE/],
    ["a policy that is data", [count, "--policy", "people.csv"], "policy.invalid", /must be a map/],
  ])("refuses %s and charges nothing", async (_, argv, code, message) => {
    const before = await charges();
    const said = await lethe("query", ...argv);
    expect(said.code).toBe(code);
    expect(said.error).toMatch(message);
    expect(said.error).toMatch(/^error \[[a-z.-]+\] \S.*\n([\s\S]*\n)? {2}fix: \S/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not reach a terminal
    expect(said.error).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]|\bat \S+\.ts:\d/);
    expect(said.error).not.toMatch(secret);
    expect(said.out).toBe("");
    expect(await charges()).toBe(before);
  });

  it("marks the place in the right line, under the right letter", async () => {
    const { error } = await lethe(
      "query",
      'SELECT COUNT(*),\n\t"日本", nosuch FROM people',
      "--epsilon",
      "1",
    );
    expect(error.split("\n").slice(1, 4)).toEqual([
      "  at line 2, column 2",
      '     "日本", nosuch FROM people',
      "     ^",
    ]);
    const second = (
      await lethe("query", "SELECT COUNT(*), '日\u001b本' || nosuch FROM people", "--epsilon", "1")
    ).error;
    const [, , source, mark] = second.split("\n");
    expect(source).toContain("日\\u{1b}本");
    // Two wide characters stand before the name.
    expect(mark!.indexOf("^")).toBe(source!.indexOf("nosuch") + 2);
  });
});

describe("the account", () => {
  it("lists what was granted, spent, left, and every charge", async () => {
    await lethe("query", count, "--epsilon", "1", "--request", "in the list");
    const { out } = await lethe("budget");
    expect(out).toMatch(/^granted +ε 1000, δ 1e-6$/m);
    expect(out).toMatch(/owner +ε 1 +answered +in the list +SELECT COUNT\(\*\) FROM people/);
    const json = JSON.parse((await lethe("budget", "--format", "json")).out);
    expect(json.granted).toEqual({ measure: "approximate", epsilon: "1000", delta: "1/1000000" });
    expect(json.charges.at(-1)).toMatchObject({ requestId: "in the list", loss: { epsilon: "1" } });
  });

  it("grows by a grant, on record", async () => {
    const before = JSON.parse((await lethe("budget", "--format", "json")).out).granted.epsilon;
    const { out, code } = await lethe("budget", "grant", "--epsilon", "1/2", "--reason", "second quarter");
    expect(code).toBeNull();
    expect(out).toContain("Recorded. The account as it stands now:");
    const after = JSON.parse((await lethe("budget", "--format", "json")).out).granted.epsilon;
    expect(after).toBe(`${2 * Number(before) + 1}/2`);
    const back = await lethe("budget", "grant", "--epsilon", "1/2", "--reason", "back to a whole");
    expect(back.code).toBeNull();
  });

  it.each<[string, string[], string]>([
    ["without a reason", ["--epsilon", "1"], "cli.usage"],
    ["with an empty reason", ["--epsilon", "1", "--reason", ""], "parameter.invalid"],
    ["of nothing", ["--reason", "x"], "parameter.invalid"],
    ["below 0", ["--epsilon=-1", "--reason", "x"], "parameter.invalid"],
    ["of 0", ["--epsilon", "0", "--reason", "x"], "parameter.invalid"],
    ["that is no number", ["--epsilon", "lots", "--reason", "x"], "parameter.invalid"],
    ["in another measure", ["--rho", "1", "--reason", "x"], "parameter.invalid"],
    ["of failures that are no number", ["--failures", "x", "--reason", "x"], "cli.usage"],
    ["of 0 failures", ["--failures", "0", "--reason", "x"], "parameter.invalid"],
    ["to an analyst of nothing", ["--analyst", "eve", "--reason", "x"], "parameter.invalid"],
  ])("refuses a grant %s", async (_, argv, code) => {
    const head = (await lethe("ledger", "verify")).out;
    expect((await lethe("budget", "grant", ...argv)).code).toBe(code);
    expect((await lethe("ledger", "verify")).out).toBe(head);
  });

  it("verifies its chain, and against a head kept elsewhere", async () => {
    const { out, code } = await lethe("ledger", "verify");
    expect(code).toBeNull();
    const head = /^head (\d+:[0-9a-f]{64})$/m.exec(out)![1]!;
    expect((await lethe("ledger", "verify", "--head", head)).code).toBeNull();
    const other = `${head.slice(0, -1)}${head.endsWith("0") ? "1" : "0"}`;
    expect((await lethe("ledger", "verify", "--head", other)).code).toBe("ledger.restored");
    expect((await lethe("ledger", "verify", "--head", "3")).code).toBe("cli.usage");
  });

  it("follows its policy: other units are refused until they are accepted on record", async () => {
    const policy = readFileSync("lethe.yaml", "utf8");
    writeFileSync("lethe.yaml", policy.replace("adjacency: add-or-remove-one", "adjacency: replace-one"));
    try {
      expect((await lethe("query", count, "--epsilon", "1")).code).toBe("policy.changed");
    } finally {
      writeFileSync("lethe.yaml", policy);
    }
    writeFileSync("lethe.yaml", policy.replace("[0, 60]", "[0, 61]"));
    try {
      expect(await lethe("query", count, "--epsilon", "1")).toMatchObject({
        code: "policy.changed",
        error: expect.stringContaining("fix: lethe import people.csv"),
      });
    } finally {
      writeFileSync("lethe.yaml", policy);
    }
  });
});

describe("other commands", () => {
  it("check a policy and print its schema", async () => {
    expect((await lethe("policy", "check")).out).toMatch(/^The policy is sound\. Hash [0-9a-f]{64}/);
    expect((await lethe("policy", "check")).out).toContain("advice: budget: over its whole life");
    expect(JSON.parse((await lethe("policy", "schema")).out).title).toBe("Lethe policy");
  });

  it.each([
    ["tab\tin: [yaml\n", "policy.unreadable"],
    ["a: &x 1\nb: *x\n", "policy.unreadable"],
    ["version: 2\n", "policy.invalid"],
    ["[]", "policy.invalid"],
    ["", "policy.invalid"],
    [`version: 1\n"\\e[31m": 1\n`, "policy.invalid"],
    [`${"[".repeat(20_000)}`, "policy.unreadable"],
  ])("refuse the policy %j", async (text, code) => {
    writeFileSync("bad.yaml", text);
    const said = await lethe("policy", "check", "--policy", "bad.yaml");
    expect(said.code).toBe(code);
    expect(said.error).not.toContain("\u001b");
  });

  it.each<[string, string[], string]>([
    ["no command", [], "cli.usage"],
    ["half a command", ["policy"], "cli.usage"],
    ["an unknown command", ["qeury"], "cli.usage"],
    ["a surplus word", ["budget", "x"], "cli.usage"],
    ["another file to import", ["import", "other.csv"], "cli.usage"],
    ["another table to import", ["import", "--table", "nosuch"], "query.unknown-table"],
    ["a missing release", ["verify", "no.json"], "cli.file"],
    ["a folder as release", ["verify", "."], "cli.file"],
    ["data as release", ["verify", "people.csv"], "release.invalid"],
    ["data as key", ["verify", "people.csv", "--public-key", "people.csv"], "cli.usage"],
  ])("refuse %s", async (_, argv, code) => {
    const said = await lethe(...argv);
    expect(said.code).toBe(code);
    expect(said.error).toMatch(/\n {2}fix: \S/);
    expect(said.error).not.toMatch(secret);
    expect(said.error.split("\n")).toHaveLength(2);
  });

  it("leave nothing behind that was not asked for", () => {
    expect(existsSync("no.yaml") || existsSync("no")).toBe(false);
  });
});
