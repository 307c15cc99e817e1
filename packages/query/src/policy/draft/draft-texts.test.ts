import { describe, expect, test } from "vitest";
import { didYouMean, nearestName } from "../../refusals/did-you-mean.ts";
import { refusalOf } from "../../testing/refusal-of.ts";
import { readPolicy } from "../file/read-policy.ts";
import { flow, scalar } from "../yaml-words.ts";
import { columnWords } from "./column-words.ts";
import { draftPolicy, type PolicyDraft } from "./draft-policy.ts";
import { readBoundsWord, readCategoriesWord } from "./draft-words.ts";

const draft: PolicyDraft = { table: "people", file: "people.csv", header: ["id", "age"], unit: "row" };
const lines = (more: Partial<PolicyDraft> = {}): readonly string[] =>
  draftPolicy({ ...draft, ...more }).split("\n");
const said = async (run: () => unknown): Promise<readonly [code: string, message: string, fix: string]> => {
  const { code, message, fix } = await refusalOf((async () => run())());
  return [code, message, fix];
};

describe("a drafted policy", () => {
  test("writes each word of the owner, and no line for what is not said", () => {
    expect(lines()).toEqual([
      "# What may be asked of these data, and at which price. Written from the header and your words; no value was read.",
      "version: 1",
      "privacy_unit: { name: person, adjacency: add-or-remove-one } # or replace-one: then only the number of units is public",
      "tables:",
      "  people:",
      '    file: "people.csv"',
      "    unit: row # each row is one unit",
      "    # expected_rows: 1000 # with a public, rough number of rows, explain shows expected errors",
      "    # Numbers outside their bounds are clamped; what is not a number, such a date or a category becomes the default, or NULL.",
      "    columns:",
      "      id: { type: text } # not declared yet: add categories: [a, b], or type: number with bounds: [lowest, highest], or type: date with bounds: [2020-01-01, 2029-12-31]",
      expect.stringMatching(/^ {6}age: \{ type: text \} # not declared yet/),
      '# Questions may be asked of views as of tables: views: { adults: "SELECT * FROM people WHERE age >= 18" }',
      "# Spent by every question and never refilled. pure: epsilon. approximate: epsilon, delta. zcdp: rho, or epsilon and delta.",
      "# head_file: /mnt/other/lethe.head, among these, keeps the ledger's head on another disk: an older ledger put back is refused.",
      "budget: { measure: approximate, epsilon: 5, delta: 1e-6 }",
      "",
    ]);
  });

  test("limits what a unit brings where a column names it", () => {
    const found = lines({
      unit: "id",
      unitName: "a patient",
      adjacency: "replace-one",
      relation: "main.t",
      delimiter: ";",
      expectedRows: 500,
      maxGroups: 3,
      maxRowsPerGroup: 4,
      types: { id: "integer", age: "integer" },
      budget: { measure: "zcdp", rho: "0.5", analysts: { ana: "0.1", "b c": "0.2" } },
      defaults: { epsilon: "1/3" },
    });
    for (const line of [
      'privacy_unit: { name: "a patient", adjacency: replace-one } # or replace-one: then only the number of units is public',
      '    relation: "main.t"',
      '    csv: { delimiter: ";" }',
      "    unit: id # all rows that share its value are one unit",
      "    max_groups_contributed: 3 # groups of one answer that a unit contributes to; others are left out",
      "    max_rows_contributed_per_group: 4 # rows that a unit contributes to a group",
      "    expected_rows: 500 # public and rough: for expected errors alone",
      "      id: { type: integer } # names the privacy unit",
      "      age: { type: integer }",
      'budget: { measure: zcdp, rho: 0.5, analysts: { ana: 0.1, "b c": 0.2 } }',
      "defaults: { epsilon: 1/3 } # the price of a question that names none",
    ])
      expect(found).toContain(line);
    expect(found.filter((line) => /^ {4}bound:/.test(line))).toEqual([]);
    // Only rows that share a unit need limits.
    expect(lines().join("\n")).not.toContain("contributed");
    expect(lines({ unit: "id" })).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/max_groups_contributed: 1 #/),
        expect.stringMatching(/max_rows_contributed_per_group: 1 #/),
        "      id: { type: text } # names the privacy unit",
      ]),
    );
  });

  test.each([
    ["groups-after-filter", "of the rows that a question leaves"],
    [
      "rows-before-filter",
      "of the table: their product is the number of a unit's rows that count; lethe index build makes it fast",
    ],
  ] as const)("says which rows are limited where the owner does: %s", (limit, words) => {
    expect(lines({ unit: "id", limit })).toContain(`    limit: ${limit} # ${words}`);
    const text = draftPolicy({ ...draft, unit: "id", limit });
    expect(readPolicy(text).tables.people!.contribution.limit).toBe(limit);
  });

  test("states a delimiter and a default where they are not the usual ones", () => {
    expect(lines({ delimiter: "," }).join("\n")).not.toContain("csv:");
    expect(lines({ relation: null }).join("\n")).not.toContain("relation:");
    expect(lines({ defaults: {} }).join("\n")).not.toContain("defaults:");
    expect(lines({ defaults: { delta: "1e-8" } })).toContain(
      "defaults: { delta: 1e-8 } # the price of a question that names none",
    );
    expect(lines({ expectedRows: null }).join("\n")).toContain("# expected_rows: 1000 #");
  });

  test("gives a column the type that its words declare, unless one is stated", () => {
    const column = (more: Partial<PolicyDraft>): string =>
      /age: (.*)/.exec(draftPolicy({ ...draft, ...more }))![1]!;
    const bounds = (word: string) => ({ bounds: Object.fromEntries([readBoundsWord(word)]) });
    expect(column(bounds("age=0..60"))).toBe("{ type: number, bounds: [0, 60] }");
    expect(column(bounds("age=int:0..60"))).toBe("{ type: integer, bounds: [0, 60] }");
    expect(column(bounds("age=2020-01-01..2021-01-01"))).toBe(
      "{ type: date, bounds: [2020-01-01, 2021-01-01] }",
    );
    expect(column(bounds("age=2020-01-01 10:00..2021-01-01"))).toBe(
      '{ type: timestamp, bounds: ["2020-01-01 10:00", "2021-01-01"] }',
    );
    expect(column({ ...bounds("age=0..60"), types: { age: "integer" } })).toBe(
      "{ type: integer, bounds: [0, 60] }",
    );
    expect(column({ categories: { age: ["a", "b c"] } })).toBe('{ type: text, categories: [a, "b c"] }');
    expect(column({ categories: { age: ["1", "2"] }, types: { age: "integer" } })).toBe(
      "{ type: integer, categories: [1, 2] }",
    );
    expect(column({ types: { age: "boolean" } })).toBe("{ type: boolean }");
    // Words about a column of every object are of none here.
    const odd = draftPolicy({ ...draft, header: ["constructor"], bounds: {}, categories: {}, types: {} });
    expect(odd).toContain("constructor: { type: text } # not declared yet");
  });

  test("is refused where the header or a word has no column, with what is near", async () => {
    expect(await said(() => draftPolicy({ ...draft, header: ["id", "a\u0007"] }))).toEqual([
      "policy.invalid",
      "column 2 of the header has no usable name",
      "rename it: a name is 1 to 63 bytes of UTF-8 without control or text-direction characters, and not __proto__",
    ]);
    expect(await said(() => draftPolicy({ ...draft, header: ["id", "ID"] }))).toEqual([
      "policy.invalid",
      'the header names "ID" twice, but for case',
      "rename one of the two",
    ]);
    for (const more of [
      { unit: "agee" },
      { types: { agee: "text" } },
      { categories: { agee: ["a"] } },
      { bounds: { agee: { lo: "0", hi: "1", integer: false } } },
    ] as const)
      expect(await said(() => draftPolicy({ ...draft, ...more }))).toEqual([
        "policy.invalid",
        'the header has no column "agee"',
        'did you mean "age"? write one of: id, age',
      ]);
  });
});

test("categories that hold other send every other text there, and no number", () => {
  expect(columnWords({ type: "text", categories: ["a", "other"] })).toBe(
    "{ type: text, categories: [a, other], default: other }",
  );
  expect(columnWords({ type: "text", categories: ["a", "others"] })).toBe(
    "{ type: text, categories: [a, others] }",
  );
  expect(columnWords({ type: "integer", categories: ["1", "other"] })).toBe(
    "{ type: integer, categories: [1, other] }",
  );
  expect(columnWords({ type: "boolean" })).toBe("{ type: boolean }");
});

describe("words of YAML", () => {
  test.each(["a", "_", "a9_", "Ab", "yesterday", "nulls", "ny"])("%s stands bare", (word) => {
    expect(scalar(word)).toBe(word);
  });
  test.each([
    "",
    "9a",
    "a-b",
    "a b",
    "true",
    "False",
    "NULL",
    "yes",
    "No",
    "on",
    "OFF",
    "y",
    "N",
    "é",
    "a.b",
  ])("%j stands in quotes", (word) => {
    expect(scalar(word)).toBe(JSON.stringify(word));
  });
  test("a map leaves out what is not stated", () => {
    expect(
      flow([
        ["a", "1"],
        ["b", undefined],
        ["c", "2"],
      ]),
    ).toBe("{ a: 1, c: 2 }");
    expect(flow([["a", ""]])).toBe("{ a:  }");
  });
});

describe("words on the command line", () => {
  test("declare bounds of numbers, whole numbers and times", () => {
    expect(readBoundsWord("age=int:-16..+90")).toEqual(["age", { lo: "-16", hi: "+90", integer: true }]);
    expect(readBoundsWord("x=0.5..1E2")).toEqual(["x", { lo: "0.5", hi: "1E2", integer: false }]);
    expect(readBoundsWord("a\nb=1..2")[0]).toBe("a\nb");
    expect(readBoundsWord("d=2010-01-01..2029-12-31")).toEqual([
      "d",
      { lo: "2010-01-01", hi: "2029-12-31", integer: false, time: "date" },
    ]);
    for (const word of ["t=2010-01-01 00:00..2029-12-31", "t=2010-01-01..2029-12-31T10:00"])
      expect(readBoundsWord(word)[1].time).toBe("timestamp");
    expect(readBoundsWord("a=b=2010-01-01..2029-12-31")[0]).toBe("a=b");
  });

  test("are refused where they state none, with an example", async () => {
    expect(await said(() => readBoundsWord("wage"))).toEqual([
      "cli.usage",
      '"wage" does not state bounds',
      "write wage=0..60, age=int:16..90 for whole numbers, or hired=2010-01-01..2029-12-31 for dates",
    ]);
    for (const word of ["w=1..1", "w=2..1"])
      expect(await said(() => readBoundsWord(word))).toEqual([
        "cli.usage",
        "the bounds of w are not in order",
        "write the lower bound first: wage=0..60",
      ]);
    for (const word of ["d=2010-01-01..2010-01-01", "d=2010-01-02..2010-01-01"])
      expect(await said(() => readBoundsWord(word))).toEqual([
        "cli.usage",
        "the bounds of d are not in order",
        "write the earlier one first: d=2010-01-01..2029-12-31",
      ]);
    for (const [word, type] of [
      ["d=2010-13-01..2029-12-31", "dates"],
      ["d=2010-01-01..2029-02-29", "dates"],
      ["d=2010-01-01 25:00..2029-12-31", "timestamps"],
    ] as const)
      expect(await said(() => readBoundsWord(word))).toEqual([
        "cli.usage",
        `the bounds of d are no ${type}`,
        'write d=2010-01-01..2029-12-31, or d="2010-01-01 00:00:00..2029-12-31 23:59:59"',
      ]);
  });

  test("declare categories, without the blanks around them", async () => {
    expect(readCategoriesWord("a=b=x , y")).toEqual(["a=b", ["x", "y"]]);
    expect(readCategoriesWord("a=x")).toEqual(["a", ["x"]]);
    for (const word of ["a", "=x", "a=", "a=x,", "a=,x", "a=x, ,y"])
      expect(await said(() => readCategoriesWord(word))).toEqual([
        "cli.usage",
        `${JSON.stringify(word)} does not state categories`,
        "write sector=manufacturing,construction,other",
      ]);
    expect(await said(() => readCategoriesWord("a=x,y, x"))).toEqual([
      "cli.usage",
      "the categories of a repeat one",
      "name each category once",
    ]);
  });
});

describe("a near name", () => {
  test("differs in a third of the letters at most, and in one where they are few", () => {
    // Of six letters two may differ, of five one.
    expect(nearestName("abcdef", ["abcdxx"])).toBe("abcdxx");
    expect(nearestName("abcdef", ["abcxxx"])).toBeNull();
    expect(nearestName("abcde", ["abcdx"])).toBe("abcdx");
    expect(nearestName("abcde", ["abcxx"])).toBeNull();
    expect(nearestName("a", ["b"])).toBe("b");
    expect(nearestName("a", ["bc"])).toBeNull();
    expect(nearestName("", ["b"])).toBe("b");
  });

  test("is the nearest by letters put in, left out or exchanged, and the first of equals", () => {
    expect(nearestName("sector", ["vector", "sectors", "sect"])).toBe("vector");
    expect(nearestName("sector", ["sectoral", "secto"])).toBe("secto");
    expect(nearestName("kitten", ["sittin"])).toBe("sittin");
    expect(nearestName("kittens", ["sitting"])).toBeNull();
    expect(nearestName("WAGE", ["wages", "Wage"])).toBe("Wage");
    expect(nearestName("abc", [])).toBeNull();
  });

  test("stands before a dozen known ones", () => {
    const known = (count: number): readonly string[] =>
      Array.from({ length: count }, (_, at) => `column${at}`);
    expect(didYouMean("zzz", known(12))).toBe(`write one of: ${known(12).join(", ")}`);
    expect(didYouMean("zzz", known(13))).toBe(`write one of: ${known(12).join(", ")} and 1 more`);
    expect(didYouMean("column", known(2))).toBe('did you mean "column0"? write one of: column0, column1');
  });
});
