import type { PrivacyLossText } from "@lethe/core";
import type { Estimate, Release, ReleasedCell } from "@lethe/gateway";
import { renderJson } from "@lethe/serve/formats";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renderGrid } from "./grid.ts";
import { renderLoss } from "./loss.ts";
import { confidencePercent, decimalsFor, fixed, percent } from "./number.ts";
import { printable, printableLines, width } from "./printable.ts";
import { renderRelease } from "./release.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: what must not reach a terminal
const obeyed = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;

describe("printable", () => {
  it.each([
    ["\u001b[31mred\u0007", "\\u{1b}[31mred\\u{7}"],
    ["\u009b2J", "\\u{9b}2J"],
    ["a\r\nb\tc\u0000\u007f", "a\\u{d}\\u{a}b\\u{9}c\\u{0}\\u{7f}"],
    ["\u202etxt.exe\u2066", "\\u{202e}txt.exe\\u{2066}"],
    ["\u2028\u2029\ufeff\u200b", "\\u{2028}\\u{2029}\\u{feff}\\u{200b}"],
    ["\ud800", "\\u{d800}"],
    ["日本 é ☃ 😀", "日本 é ☃ 😀"],
  ])("shows %j as %j", (text, shown) => {
    expect(printable(text)).toBe(shown);
  });

  it("lets nothing through that a terminal obeys; lines stay lines", () => {
    const text = fc.string({ unit: "binary" });
    fc.assert(
      fc.property(text, (any) => {
        expect(printable(any)).not.toMatch(obeyed);
        expect(printable(any)).not.toContain("\n");
        expect(printableLines(any)).not.toMatch(obeyed);
        expect(printableLines(any).split("\n")).toHaveLength(any.split("\n").length);
        expect(printable(printable(any))).toBe(printable(any));
      }),
    );
  });
});

describe("renderGrid", () => {
  it("aligns wide, combining and escaped characters", () => {
    const grid = renderGrid(
      ["key", "n"],
      [
        ["日本", "1"],
        ["e\u0301", "22"],
        ["\u001b[1m", "333"],
        ["😀", "-4"],
      ],
      [false, true],
    );
    const lines = grid.split("\n");
    const ends = lines.map((line) => width(line));
    expect(new Set(ends).size).toBe(1);
    expect(lines[4]).toBe("\\u{1b}[1m  333");
  });

  it("leaves no blanks at the end of a line, and stands without rows", () => {
    expect(renderGrid(["a", "long header"], [["x", "y"]], [])).toBe("a  long header\n─  ───────────\nx  y");
    expect(renderGrid(["a"], [], [])).toBe("a\n─");
  });
});

describe("renderJson", () => {
  it("reads back as the same text, and holds nothing that a terminal obeys", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const json = renderJson({ [`key ${text}`]: text });
        expect(json).not.toMatch(obeyed);
        expect(JSON.parse(json)).toEqual({ [`key ${text}`]: text });
      }),
    );
  });
  it("writes exact numbers as texts", () => {
    expect(JSON.parse(renderJson({ a: { num: 1n, den: 3n }, b: [{ num: -4n, den: 1n }], c: 12n }))).toEqual({
      a: "1/3",
      b: ["-4"],
      c: "12",
    });
  });
});

describe("numbers", () => {
  it.each<[number, number, string]>([
    [0, 0, "0"],
    [-0, 2, "0.00"],
    [-0.001, 2, "0.00"],
    [-1.005, 1, "-1.0"],
    [9999, 0, "9999"],
    [10000, 0, "10,000"],
    [-1234567.891, 2, "-1,234,567.89"],
    [1e20, 0, "100,000,000,000,000,000,000"],
    [1e21, 0, "1.000e+21"],
    [0.25, 1, "0.3"],
    [-12_345.5, 1, "-12,345.5"],
    [-1.0515874512611128e303, 6, "-1.052e+303"],
  ])("fixed(%d, %d) is %s", (x, decimals, text) => {
    expect(fixed(x, decimals)).toBe(text);
  });

  it.each<[number, number]>([
    [1000, 0],
    [10, 0],
    [9.5, 1],
    [1, 1],
    [0.5, 2],
    [0.0002, 5],
    [0.00002, 6],
    [1e-9, 6],
    [0, 6],
    [-1, 6],
    [Number.NaN, 6],
    [Number.POSITIVE_INFINITY, 6],
  ])("a half-width of %d shows %d decimals", (halfWidth, decimals) => {
    expect(decimalsFor(halfWidth)).toBe(decimals);
  });

  it.each<[number, string]>([
    [0, "0 %"],
    [-0.1, "0 %"],
    [1e-12, "< 0.01 %"],
    [0.000_099, "< 0.01 %"],
    [0.0001, "0.01 %"],
    [0.005, "0.50 %"],
    [0.01, "1.0 %"],
    [0.5, "50.0 %"],
    [0.99, "99.0 %"],
    [0.995, "99.50 %"],
    [0.9999, "99.99 %"],
    [0.999_901, "> 99.99 %"],
    [1 - 1e-12, "> 99.99 %"],
    [1, "100 %"],
    [1.1, "100 %"],
  ])("a chance of %d is %s", (chance, text) => {
    expect(percent(chance)).toBe(text);
  });

  it.each<[number, string]>([
    [0.95, "95 %"],
    [0.57, "57 %"],
    [0.999, "99.9 %"],
    [0.123456789, "12.3456 %"],
    [0.9999999999999999, "99.9999 %"],
  ])("a confidence of %d is %s, never a certainty it is not", (confidence, text) => {
    expect(confidencePercent(confidence)).toBe(text);
  });
});

describe("renderLoss", () => {
  it.each<[PrivacyLossText, string]>([
    [{ measure: "pure", epsilon: "1/2" }, "ε 0.5"],
    [{ measure: "pure", epsilon: "1/3" }, "ε 0.333334"],
    [{ measure: "approximate", epsilon: "1", delta: "0" }, "ε 1"],
    [{ measure: "approximate", epsilon: "1", delta: "1/1000000" }, "ε 1, δ 1e-6"],
    [{ measure: "approximate", epsilon: "1", delta: "1/3000000" }, "ε 1, δ 3.334e-7"],
    [{ measure: "approximate", epsilon: "0", delta: "1/100000" }, "ε 0, δ 1e-5"],
    [{ measure: "zcdp", rho: "1/200", delta: "0" }, "ρ 0.005"],
    [{ measure: "zcdp", rho: "1/200", delta: "1/10000" }, "ρ 0.005, δ 0.0001"],
    [{ measure: "pure", epsilon: "9/100000" }, "ε 9e-5"],
    [{ measure: "pure", epsilon: "123456789/10000000000000" }, "ε 1.235e-5"],
    [{ measure: "pure", epsilon: `${10n ** 400n + 1n}/${10n ** 400n}` }, "ε 1.000001"],
    [{ measure: "approximate", epsilon: "1", delta: `1/${10n ** 400n}` }, "ε 1, δ 1e-400"],
    [{ measure: "approximate", epsilon: "1", delta: `7/${3n * 10n ** 320n}` }, "ε 1, δ 2.334e-320"],
    [{ measure: "approximate", epsilon: "1", delta: `9999999/${10n ** 12n}` }, "ε 1, δ 1e-5"],
  ])("%j reads %s, rounded up", (loss, text) => {
    expect(renderLoss(loss)).toBe(text);
  });
});

describe("a release", () => {
  const estimate = (value: number | null, lower: number | null, upper: number | null): Estimate => ({
    value,
    lower,
    upper,
  });
  const loss: PrivacyLossText = { measure: "pure", epsilon: "1" };

  function release(rows: readonly (readonly ReleasedCell[])[], more: Partial<Release> = {}): Release {
    const certificate = {
      requestId: "r",
      principal: "owner",
      charge: loss,
      confidence: 0.95,
      account: { granted: loss, spent: loss, left: loss, membershipAdvantage: 0.25 },
    };
    const columns = [
      { name: "k", kind: "key" },
      { name: "n", kind: "aggregate" },
    ];
    return {
      version: 1,
      columns,
      rows,
      missing: [],
      notes: [],
      certificate,
      signature: "",
      ...more,
    } as unknown as Release;
  }
  const firstLines = (of: Release): string[] =>
    renderRelease.table(of).split("\n\n")[0]!.split("\n").slice(2);

  it("shows narrow, unknown and odd cells for what they are: an interval of one number is no certainty", () => {
    const lines = firstLines(
      release([
        ["one number", estimate(5, 5, 5)],
        ["unknown", estimate(null, null, null)],
        ["no interval", estimate(5, null, null)],
        [null, estimate(-0, -1, 1)],
        [true, estimate(12345, 12000, 13000)],
      ]),
    );
    expect(lines.map((line) => line.trim().split(/ {2,}/))).toEqual([
      ["one number", "5", "5 … 5"],
      ["unknown", "—", "—"],
      ["no interval", "5", "—"],
      ["(null)", "0", "-1 … 1"],
      ["true", "12,345", "12,000 … 13,000"],
    ]);
  });

  it("tells a missing key, one that is grouped away, what is left, and texts that read like them apart", () => {
    const keys: readonly ReleasedCell[] = [null, null, { other: true }, "(null)", "(all)", "(other)", "all"];
    const { certificate, ...of } = release(keys.map((key) => [key, estimate(1, 0, 2)]));
    const plan = {
      outputs: [
        { kind: "key", key: "ward" },
        { kind: "aggregate", aggregate: "COUNT(*)" },
      ],
      groupings: [["ward"], []],
    } as unknown as Release["certificate"]["plan"];
    const totalled: Release = {
      ...of,
      groupings: keys.map((_, at) => ({ grouping: at === 1 ? 1 : 0, over: null })),
      certificate: { ...certificate, plan },
    };
    const first = firstLines(totalled).map((line) => line.trim().split(/ {2,}/)[0]);
    expect(first).toEqual(["(null)", "(all)", "(other)", '"(null)"', '"(all)"', '"(other)"', "all"]);
    const csv = renderRelease.csv(totalled).split("\n").slice(1);
    const fields = ["", "(all)", "(other)", "(null)", '"""(all)"""', '"""(other)"""', "all"];
    expect(csv).toEqual(fields.map((field) => `${field},1,0,2`));
  });

  /** A release of columns of these kinds. */
  const columnsOf = (...kinds: readonly string[]): Partial<Release> => ({
    columns: kinds.map((kind, at) => ({ name: `${kind}${at}`, kind })) as unknown as Release["columns"],
  });
  const certified = (more: object): Partial<Release> => ({
    certificate: { ...release([]).certificate, ...more } as Release["certificate"],
  });

  it("gives every number of a column as many decimals as its narrowest interval is worth, and none where ends are whole", () => {
    const narrow = estimate(1.23456, 1.2, 1.3);
    const cells = (...rows: ReleasedCell[]): readonly string[] =>
      firstLines(release(rows.map((cell) => ["k", cell]))).map((line) =>
        line.split(/ {2,}/).slice(1).join("|"),
      );
    expect(cells(narrow, estimate(100, 50, 151))).toEqual(
      ["  1.235|1.200 … 1.300", "100.000|50.000 … 151.000"].map((line) => line.trim()),
    );
    expect(cells(estimate(0.25, 0, 1))).toEqual(["0|0 … 1"]);
    // A column in which no number has an interval has none beside it.
    expect(cells(estimate(0.75, null, 1.5))).toEqual(["0.75"]);
    expect(cells(estimate(0.75, null, 1.5), estimate(0.25, 0, 1))).toEqual(["0.75|—", "0.25|0.00 … 1.00"]);
    expect(cells(estimate(5.5, 0.5, 10))).toEqual(["5.5|0.5 … 10.0"]);
  });

  it("puts the interval beside each number under the coverage, and a time between its ends", () => {
    const time = { value: "2024-03-01", lower: "2024-02-01", upper: "2024-04-01" };
    const of = release([["a", 7, time]], {
      ...columnsOf("key", "label", "computed"),
      ...certified({ confidence: 0.99 }),
    });
    expect(renderRelease.table(of).split("\n").slice(0, 3)).toEqual([
      "key0  label1   computed2  99 % interval",
      "────  ──────  ──────────  ───────────────────────",
      "a     7       2024-03-01  2024-02-01 … 2024-04-01",
    ]);
    expect(renderRelease.csv(of)).toBe(
      "key0,label1,computed2,computed2_lower,computed2_upper\na,7,2024-03-01,2024-02-01,2024-04-01",
    );
  });

  it("tells a label that is a number to six digits, and any other as a key", () => {
    const label = (cell: ReleasedCell): string => {
      const of = release([["a", cell]], columnsOf("key", "label"));
      return renderRelease.table(of).split("\n")[2]!.slice(6);
    };
    expect([12.3456789, 12, "12.3456789", null, "(null)"].map(label)).toEqual([
      "12.3457",
      "12",
      "12.3456789",
      "(null)",
      '"(null)"',
    ]);
  });

  it("says price, what is left, and the odds; of a pilot the price of each request and of both", () => {
    const facts = (more: object): readonly string[] =>
      renderRelease
        .table(release([], certified(more)))
        .split("\n")
        .slice(2);
    const odds =
      "Odds    all releases so far raise anyone's chance of telling whether one person is in the data by at most 25.0 %";
    expect(facts({})).toEqual(["Price   ε 1, charged to owner as r", "Left    ε 1 of ε 1", odds]);
    const own = { odds: { advantage: 0.09434, mu: 0.237, truePositives: 0.018351 } };
    expect(facts(own).slice(2).join(" ").replace(/\s+/g, " ")).toBe(
      "Odds from this answer a test for one person's presence gains at most 9.5 % over guessing; at 1 false alarm in 100 it finds at most 1.9 % of those who are in the data. From all releases so far it gains at most 25.0 %",
    );
    const pilot = { certificate: { charge: { measure: "pure", epsilon: "1/2" } } };
    expect(facts({ pilot, ...own }).join(" ")).toMatch(/this answer, its pilot\s+aside,/);
    expect(facts({ pilot })[0]).toBe("Price   ε 0.5 for the pilot alone, charged to owner as r");
    expect(facts({ pilot, target: {} })[0]).toBe(
      "Price   ε 1.5: ε 0.5 for the pilot, ε 1 for the answer, charged to owner as r",
    );
  });

  it("tells every note, and of missing groups the chance by their size", () => {
    const missing = [
      { units: 1, chance: 0.5 },
      { units: 20, chance: 0 },
    ];
    const text = renderRelease.table(
      release([["a", estimate(-3, 0, 2)]], { missing, notes: ["one", "two"] }),
      { verbose: true },
    );
    const facts = text.split("\n\n")[1]!.split("\n").slice(3);
    expect(facts).toEqual([
      "Missing groups are never named. Chance that a group is missing, by its number of units: 1: 50.0 %, 20: 0 %",
      "Note    one",
      "Note    two",
      expect.stringMatching(/^Note {4}a value outside its interval is shown as it was drawn/),
    ]);
    expect(renderRelease.table(release([["a", estimate(1, 0, 2)]]))).not.toMatch(/Missing|Note/);
  });

  it("tells notes in one short line where it is not asked for all", () => {
    const notesOf = (...notes: string[]): string | undefined =>
      renderRelease
        .table(release([["a", estimate(1, 0, 2)]], { notes }))
        .split("\n")
        .at(-1);
    expect(notesOf("one")).toBe("Notes   one");
    expect(notesOf("one", "two")).toBe("Notes   2: one (--verbose shows all)");
    expect(notesOf("word ".repeat(40).trim())).toMatch(/^Notes {3}1: (word )+… \(--verbose shows it\)$/);
  });

  it("knows a value outside its interval on either side, and none at its ends or without them", () => {
    const told = (...ends: Parameters<typeof estimate>): boolean =>
      renderRelease
        .table(release([["a", estimate(...ends)]]), { verbose: true })
        .includes("a value outside its interval");
    expect(told(-1, 0, 2)).toBe(true);
    expect(told(3, 0, 2)).toBe(true);
    expect(told(0, 0, 2)).toBe(false);
    expect(told(2, 0, 2)).toBe(false);
    expect(told(-1, null, 2)).toBe(false);
    expect(told(3, 0, null)).toBe(false);
    expect(told(3, null, 2)).toBe(true);
  });

  it("explains a value outside its interval, and only then", () => {
    const note = "a value outside its interval is shown as it was drawn";
    expect(renderRelease.table(release([["a", estimate(-3, 0, 2)]]))).toContain(note);
    expect(renderRelease.table(release([["a", estimate(3, 0, 4)]]))).not.toContain(note);
    expect(renderRelease.table(release([["a", estimate(null, null, null)]]))).not.toContain(note);
  });

  it("says so when there is no row", () => {
    expect(renderRelease.table(release([]))).toMatch(/^No row was released\.\n\nPrice/);
    expect(renderRelease.csv(release([]))).toBe("k,n,n_lower,n_upper");
  });

  it("never names missing groups, and gives chances that are none too sure", () => {
    const text = renderRelease.table(release([], { missing: [{ units: 1, chance: 0.9999999 }] }), {
      verbose: true,
    });
    expect(text).toContain("by its number of units: 1: > 99.99 %");
  });

  it.each<[ReleasedCell, string]>([
    ["plain", "plain"],
    ["a,b", '"a,b"'],
    ['say "x"', '"say ""x"""'],
    ["two\nlines", '"two\nlines"'],
    [null, ""],
    ["", '""'],
    [-5, "-5"],
    ["-9223372036854775808", "-9223372036854775808"],
    ["=1+1", "'=1+1"],
    ["+1", "'+1"],
    ["-1+1", "'-1+1"],
    ["@SUM(A1)", "'@SUM(A1)"],
    [" =1+1", "' =1+1"],
    ["\t=1", "'\t=1"],
    ["\r=1", `"'\r=1"`],
    ["＝1+1", "'＝1+1"],
    ['=HYPERLINK("http://x","y")', `"'=HYPERLINK(""http://x"",""y"")"`],
  ])("as CSV, a key %j is %s: no spreadsheet runs it", (key, field) => {
    const csv = renderRelease.csv(release([[key, estimate(1, 0, 2)]]));
    expect(csv).toBe(`k,n,n_lower,n_upper\n${field},1,0,2`);
  });
});
