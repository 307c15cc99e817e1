import { LetheError } from "@lethe/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { refusalOf } from "../testing/refusal-of.ts";
import { preloadGrammar } from "./grammar.ts";
import { parseQuestion } from "./parse-question.ts";
import { placeOf } from "./place-of.ts";
import { scanTokens } from "./scan-tokens.ts";

const refusal = (text: string): Promise<LetheError> => refusalOf(parseQuestion(text));

test("loading ahead changes nothing", async () => {
  preloadGrammar();
  preloadGrammar();
  expect((await parseQuestion("SELECT 1")).text).toBe("SELECT 1");
});

describe("one SELECT and nothing else", () => {
  test.each([
    ["", "query.syntax"],
    ["   \n", "query.syntax"],
    ["-- nothing", "query.syntax"],
    ["/* nothing /* at all */ */", "query.syntax"],
    [";", "query.syntax"],
    ["SELECT", "ok"],
    ["SELECT 1; SELECT 2", "query.unsupported"],
    ["SELECT 1; DROP TABLE people", "query.unsupported"],
    ["DROP TABLE people", "query.unsupported"],
    ["INSERT INTO people VALUES (1)", "query.unsupported"],
    ["EXPLAIN SELECT 1", "query.unsupported"],
    ["COPY people TO '/tmp/x'", "query.unsupported"],
    ["SET privacy_noise = false", "query.unsupported"],
    ["SELEC 1", "query.syntax"],
    ["SELECT 1 FROM", "query.syntax"],
    ["SELECT `wage` FROM people", "ok"],
    ["SELECT 'a", "query.syntax"],
    ['SELECT "a', "query.syntax"],
    ["SELECT $$a", "query.syntax"],
    ["SELECT /* a", "query.syntax"],
    ["SELECT 1\0; DROP TABLE people", "query.syntax"],
    ["SELECT '\ud800'", "query.syntax"],
    ["SELECT 1;", "ok"],
    ["SELECT 1; -- done", "ok"],
    ["SELECT ';' /* ; */ -- ;", "ok"],
    ["VALUES (1)", "ok"],
    ["(SELECT 1)", "ok"],
  ])("%j: %s", async (text, outcome) => {
    if (outcome === "ok") expect((await parseQuestion(text)).text).toBe(text);
    else {
      const error = await refusal(text);
      expect(error.code).toBe(outcome);
      expect(error.fix).not.toBe("");
    }
  });

  test("an error is told where the grammar comes from", async () => {
    expect((await refusal("SELECT '`' FROM")).fix).toContain("PostgreSQL's");
    expect((await refusal("SELECT 1 FROM WITH differential_privac")).fix).toContain("PostgreSQL's");
  });
});

describe("places are UTF-16 indices into the text that was asked", () => {
  test.each([
    ["SELECT 'é', ! FROM t", "F"],
    ["SELECT '\u{1f600}\u{1f600}', ) FROM t", ")"],
    ["SELECT 1 FROM t WHERE ß = 'ẞ' AND )", ")"],
    ["SELECT\n  1,\n  ) FROM t", ")"],
    ["SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon = 1) 'é', ) FROM t", ")"],
  ])("of an error: %j", async (text, culprit) => {
    const { offset } = await refusal(text);
    expect(text.slice(offset)).toMatch(new RegExp(`^\\${culprit}`));
  });

  test("of the tree", async () => {
    const text = "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon = 0.1) 'é\u{1f600}', größe FROM people";
    const { select } = await parseQuestion(text);
    const places = (select.targetList ?? []).map(
      (node) => ("ResTarget" in node ? node.ResTarget.location : -1)!,
    );
    expect(places.map((place) => text.slice(place, place + 5))).toEqual(["'é\u{1f600}'", "größe"]);
    expect(select.fromClause).toMatchObject([{ RangeVar: { location: text.indexOf("people") } }]);
  });

  test("of the tree, behind characters of one to four bytes", async () => {
    for (const character of ["\u007f", "\u0080", "\u07ff", "\u0800", "\uffff", "\u{10000}", "\u{10ffff}"]) {
      const text = `SELECT '${character.repeat(3)}' AS a, b FROM people`;
      const { select } = await parseQuestion(text);
      expect(select.targetList).toMatchObject([{}, { ResTarget: { location: text.indexOf("b FROM") } }]);
    }
  });

  test.each([
    ["SELECT 'é';\n SELECT 2", "SELECT 2", "2 statements"],
    ["SELECT 'é'; DELETE FROM a; SELECT 3", "DELETE", "3 statements"],
    ["SELECT 'a\0'", "\0", "a NUL or half a character"],
    ["SELECT '\u{1f600}\udc00'", "\udc00", "a NUL or half a character"],
  ])("of what is no one question: %j", async (text, culprit, message) => {
    const { offset, message: said } = await refusal(text);
    expect(said).toContain(message);
    expect(text.slice(offset).trimStart().startsWith(culprit)).toBe(true);
  });

  test("line and column count characters from 1", () => {
    expect(placeOf("a\nb\u{1f600}c", 5)).toEqual({ line: 2, column: 3 });
    expect(placeOf("a\r\nb", 3)).toEqual({ line: 2, column: 1 });
    expect(placeOf("a\rb", 2)).toEqual({ line: 2, column: 1 });
    expect(placeOf("", 0)).toEqual({ line: 1, column: 1 });
    expect(placeOf("ab", 99)).toEqual({ line: 1, column: 3 });
    expect(placeOf("ab", -1)).toEqual({ line: 1, column: 1 });
  });
});

describe("WITH DIFFERENTIAL_PRIVACY", () => {
  test("is cut out, its options kept as they were written", async () => {
    const { options, select } = await parseQuestion(
      '/* c */ select with differential_privacy -- x\n options ( epsilon = 1e-1, DELTA=.5,\n Max_Groups_Contributed = -3, privacy_unit_column = "a ""b""", group_selection_strategy=LAPLACE_THRESHOLD, s = \'it\'\'s\', p = +2 ) count(*) from people',
    );
    expect(options.map(({ name, kind, value }) => [name, kind, value])).toEqual([
      ["epsilon", "number", "1e-1"],
      ["delta", "number", ".5"],
      ["max_groups_contributed", "number", "-3"],
      ["privacy_unit_column", "text", 'a "b"'],
      ["group_selection_strategy", "word", "laplace_threshold"],
      ["s", "text", "it's"],
      ["p", "number", "+2"],
    ]);
    expect(select.targetList).toHaveLength(1);
  });
  test("may stand without options", async () => {
    expect((await parseQuestion("SELECT WITH DIFFERENTIAL_PRIVACY count(*) FROM t")).options).toEqual([]);
    expect(
      (await parseQuestion("SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS() count(*) FROM t")).options,
    ).toEqual([]);
  });
  test("is left alone inside texts, names and comments", async () => {
    const text =
      "SELECT 'WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=9)' /* WITH DIFFERENTIAL_PRIVACY */ FROM t";
    expect((await parseQuestion(text)).options).toEqual([]);
    const quoted = await refusal('SELECT "with" DIFFERENTIAL_PRIVACY OPTIONS(epsilon=9) 1');
    expect(quoted.code).toBe("query.syntax");
  });
  test.each([
    ["OPTIONS", "( is missing"],
    ["OPTIONS(", "name of an option is missing"],
    ["OPTIONS(epsilon", "= is missing"],
    ["OPTIONS(epsilon=", "a value is"],
    ["OPTIONS(epsilon=1", ", is missing"],
    ["OPTIONS(epsilon=1,", "name of an option is missing"],
    ["OPTIONS(epsilon=1 delta=2)", ", is missing"],
    ["OPTIONS(epsilon=$$1$$)", "a value is"],
    ["OPTIONS(epsilon=-x)", "a value is"],
    ["OPTIONS(1=1)", "name of an option is missing"],
    ["OPTIONS(epsilon=1, EPSILON=2)", "stated twice"],
  ])("refuses %s", async (clause, message) => {
    const error = await refusal(`SELECT WITH DIFFERENTIAL_PRIVACY ${clause}`);
    expect(error.code).toBe("query.syntax");
    expect(error.message).toContain(message);
  });
  test("elsewhere, or another clause, is told where to go", async () => {
    const twice = "SELECT WITH DIFFERENTIAL_PRIVACY 1 FROM (SELECT WITH DIFFERENTIAL_PRIVACY 1) x";
    expect((await refusal(twice)).fix).toContain("once");
    expect((await refusal("SELECT WITH ANONYMIZATION count(*) FROM t")).fix).toContain(
      "DIFFERENTIAL_PRIVACY",
    );
    const threshold = await refusal("SELECT WITH AGGREGATION_THRESHOLD OPTIONS(threshold=3) count(*) FROM t");
    expect(threshold).toMatchObject({ code: "query.unsupported" });
    expect((await refusal("SELECT WITH x count(*) FROM t")).code).toBe("query.syntax");
  });
});

describe("huge questions are refused in bounded time", () => {
  const shapes: Record<string, (n: number) => string> = {
    parens: (n) => `SELECT ${"(".repeat(n)}1${")".repeat(n)}`,
    "open parens": (n) => "SELECT ".concat("(".repeat(n)),
    sums: (n) => `SELECT 1${"+1".repeat(n)}`,
    minus: (n) => `SELECT ${"- ".repeat(n)}1`,
    not: (n) => `SELECT ${"not ".repeat(n)}true`,
    casts: (n) => `SELECT 1${"::int".repeat(n)}`,
    cases: (n) => `SELECT ${"case when a then ".repeat(n)}1${" end".repeat(n)}`,
    calls: (n) => `SELECT ${"f(".repeat(n)}1${")".repeat(n)}`,
    commas: (n) => `SELECT ${"f(1,".repeat(n)}1${")".repeat(n)}`,
    subqueries: (n) => `SELECT ${"(select ".repeat(n)}1${")".repeat(n)}`,
    unions: (n) => `SELECT 1${" union select 1".repeat(n)}`,
    brackets: (n) => `SELECT a${"[1]".repeat(n)}`,
    joins: (n) => `SELECT 1 FROM a${" cross join b".repeat(n)}`,
    dots: (n) => `SELECT a${".a".repeat(n)}`,
  };
  test.each(Object.keys(shapes))("%s", async (shape) => {
    for (const n of [2_001, 20_000, 50_000])
      expect((await refusal(shapes[shape]!(n))).code).toBe("query.too-large");
    // Just below the limit the grammar itself must survive, and stay usable.
    for (const n of [100, 300, 600]) {
      const outcome = await parseQuestion(shapes[shape]!(n)).then(
        () => "ok",
        (error: LetheError) => error.code,
      );
      expect(["ok", "query.too-large", "query.syntax"]).toContain(outcome);
    }
    expect((await parseQuestion("SELECT 1")).options).toEqual([]);
  });
  test("10 MB, of any kind", async () => {
    for (const part of ["a", "'", "(", "é", "/*", "$$", "-", "1,"])
      expect((await refusal(part.repeat(10_000_000 / part.length))).code).toBe("query.too-large");
    expect((await refusal("é".repeat(40_000))).code).toBe("query.too-large");
  });
  test("a long flat list is fine", async () => {
    const list = Array.from({ length: 5_000 }, (_, i) => i).join(",");
    expect((await parseQuestion(`SELECT count(*) FROM t WHERE a IN (${list})`)).text).toHaveLength(
      list.length + 36,
    );
  });
  test("brackets side by side add up no depth, however many there are", async () => {
    const text = `SELECT (${"(1), ".repeat(3_000)}1)`;
    expect((await parseQuestion(text)).text).toBe(text);
  });
});

test("whatever the text, it is parsed or refused with a code", async () => {
  const pieces = fc.constantFrom(
    "SELECT",
    "WITH",
    "DIFFERENTIAL_PRIVACY",
    "OPTIONS",
    "(",
    ")",
    "epsilon",
    "=",
    "1",
    ",",
    "'",
    "''",
    '"',
    "$$",
    "$a$",
    "--",
    "/*",
    "*/",
    "E'\\'",
    "U&'\\0041'",
    "x'1f'",
    "FROM",
    "people",
    "\n",
    ";",
    "é",
    "\u{1f600}",
    "\\",
    "`",
    "[",
    "]",
    "::",
  );
  const texts = fc.sample(
    fc.array(pieces, { maxLength: 25 }).map((parts) => parts.join(" ")),
    { numRuns: 1_500, seed: 7 },
  );
  for (const text of texts) {
    try {
      await parseQuestion(text);
    } catch (error) {
      expect(error).toBeInstanceOf(LetheError);
      const { code, offset = 0 } = error as LetheError;
      expect(["query.syntax", "query.unsupported", "query.too-large"]).toContain(code);
      expect(offset).toBeGreaterThanOrEqual(0);
      expect(offset).toBeLessThanOrEqual(text.length);
    }
  }
});

test("tokens tile the text without overlap, and end every kind where PostgreSQL does", () => {
  const tokens = (text: string): string[] =>
    [...scanTokens(text)].map(({ start, end }) => text.slice(start, end));
  expect(
    tokens("a$b $1 E'\\'' 'a''b' \"c\"\"d\" $x$ ' $x$ 1.5e-3 .5 U&\"x\" N'y' /* /* */ */ -- z\n;"),
  ).toEqual([
    "a$b",
    "$",
    "1",
    "E'\\''",
    "'a''b'",
    '"c""d"',
    "$x$ ' $x$",
    "1.5e-3",
    ".5",
    'U&"x"',
    "N'y'",
    ";",
  ]);
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("'", '"', "$", "a", "E", "\\", "/", "*", "-", "(", "\n", "é", "1") }),
      (text) => {
        let end = 0;
        for (const token of scanTokens(text)) {
          expect(token.start).toBeGreaterThanOrEqual(end);
          expect(token.end).toBeGreaterThan(token.start);
          end = token.end;
        }
        expect(end).toBeLessThanOrEqual(text.length);
      },
    ),
    { numRuns: 2_000, seed: 11 },
  );
});
