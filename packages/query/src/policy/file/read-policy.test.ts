import { LetheError, parseRational } from "@lethe/core";
import { describe, expect, test } from "vitest";
import { policyJsonSchema } from "./policy-json-schema.ts";
import { readPolicy } from "./read-policy.ts";

const good = `version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
tables:
  people:
    file: people.csv
    csv: { delimiter: ";" }
    unit: row
    expected_rows: 534
    columns:
      wage: { type: number, bounds: [0, 60] }
      sector: { type: text, categories: [manufacturing, construction, other], default: other }
      age: { type: integer, bounds: [16, 90] }
      grade: { type: integer, categories: [1, 2, 3] }
      married: { type: boolean, default: false }
      note: { type: text, max_length: 20 }
  visits:
    file: visits.duckdb
    relation: main.visits
    unit: pid
    max_groups_contributed: 3
    max_rows_contributed_per_group: 5
    limit: rows-before-filter
    columns:
      pid: { type: integer }
      cost: { type: number }
budget: { measure: approximate, epsilon: 0.1, delta: 1e-6, analysts: { ana: 0.05, 2020: 1/30 } }
defaults: { epsilon: 0.01, delta: 1e-8 }
`;

/** The refusal of a text: [code, message, fix]. */
function refusal(text: string): LetheError {
  try {
    readPolicy(text);
  } catch (error) {
    if (error instanceof LetheError) return error;
    throw error;
  }
  throw new Error("was accepted");
}
const edited = (from: string | RegExp, to: string): string => {
  const text = good.replace(from, to);
  if (text === good) throw new Error("nothing was edited");
  return text;
};

test("a whole policy is read", () => {
  const policy = readPolicy(good);
  expect(policy.privacyUnit).toEqual({ name: "person", adjacency: "add-or-remove-one" });
  expect(policy.tables.people).toEqual({
    file: "people.csv",
    relation: null,
    key: null,
    trusted: false,
    csv: { delimiter: ";", quote: '"', header: true },
    unit: { kind: "row" },
    contribution: { maxGroups: 1, maxRowsPerGroup: 1, limit: "groups-after-filter" },
    expectedRows: 534,
    columns: {
      wage: { type: "number", nullable: true, bounds: [0, 60], default: null },
      sector: {
        type: "text",
        nullable: false,
        categories: ["manufacturing", "construction", "other"],
        default: "other",
        maxLength: 256,
      },
      age: { type: "integer", nullable: true, bounds: [16, 90], categories: null, default: null },
      grade: { type: "integer", nullable: true, bounds: null, categories: [1, 2, 3], default: null },
      married: { type: "boolean", nullable: false, default: false },
      note: { type: "text", nullable: true, categories: null, default: null, maxLength: 20 },
    },
  });
  expect(policy.tables.visits).toMatchObject({
    relation: "main.visits",
    unit: { kind: "column", column: "pid" },
    contribution: { maxGroups: 3, maxRowsPerGroup: 5, limit: "rows-before-filter" },
    expectedRows: null,
  });
});

test("budgets are read digit by digit, never through a double", () => {
  const { budget, defaults } = readPolicy(good);
  expect(budget.epsilon).toEqual({ num: 1n, den: 10n });
  expect(budget.delta).toEqual({ num: 1n, den: 1_000_000n });
  expect(budget.analysts).toEqual({ ana: parseRational("1/20"), "2020": parseRational("1/30") });
  expect(defaults).toEqual({ epsilon: parseRational("0.01"), delta: parseRational("1e-8") });
  const long = "0.1000000000000000000000000000000000000001";
  expect(readPolicy(edited("epsilon: 0.1,", `epsilon: ${long},`)).budget.epsilon).toEqual(
    parseRational(long),
  );
});

test.each([
  [
    "pure, epsilon: 1",
    { measure: "pure", epsilon: parseRational("1"), delta: parseRational("0"), rho: null },
  ],
  ["pure, epsilon: 1, delta: 0", { measure: "pure", delta: parseRational("0") }],
  [
    "zcdp, rho: 0.5",
    { measure: "zcdp", rho: parseRational("1/2"), epsilon: null, delta: parseRational("0") },
  ],
  ["zcdp, epsilon: 2, delta: 1e-9", { measure: "zcdp", rho: null, epsilon: parseRational("2") }],
])("an account in measure %s", (words, expected) => {
  const text = edited(/budget: .*/, `budget: { measure: ${words} }`).replace(/defaults: .*/, "");
  expect(readPolicy(text).budget).toMatchObject(expected);
});

test.each(["pure, epsilon: 1", "approximate, epsilon: 1, delta: 1e-6", "zcdp, rho: 0.5"])(
  "an account in measure %s says where the ledger's head is kept, as it was written, or nowhere",
  (words) => {
    const headFile = (more: string): string | null =>
      readPolicy(edited(/budget: .*/, `budget: { measure: ${words}${more} }`).replace(/defaults: .*/, ""))
        .budget.headFile;
    expect(headFile("")).toBeNull();
    expect(headFile(", head_file: /mnt/other/lethe.head")).toBe("/mnt/other/lethe.head");
    expect(headFile(", head_file: ../1.0")).toBe("../1.0");
    expect(headFile(", head_file: 1.0")).toBe("1.0");
  },
);

test("a column named row is named as a map", () => {
  const text = edited("unit: pid", "unit: { column: row }").replace(
    "pid: { type: integer }",
    "row: { type: text }",
  );
  expect(readPolicy(text).tables.visits?.unit).toEqual({ kind: "column", column: "row" });
});

describe("refusals name the place, the line and what would be accepted", () => {
  test.each<[string, string, string | RegExp, string | RegExp]>([
    [
      "unknown key",
      edited("bounds: [0, 60]", "bound: [0, 60]"),
      'unknown key "bound"',
      'did you mean "bounds"?',
    ],
    [
      "lo ≥ hi",
      edited("[0, 60]", "[60, 0]"),
      "tables.people.columns.wage.bounds: the lower bound",
      "lowest < highest",
    ],
    ["lo = hi", edited("[0, 60]", "[6, 6]"), "lower bound", "lowest < highest"],
    ["infinite", edited("[0, 60]", "[0, .inf]"), "columns.wage.bounds[1]: must be a finite", "write it as"],
    ["nan", edited("[0, 60]", "[.nan, 3]"), "must be a finite number", "write it as"],
    ["magnitude", edited("[0, 60]", "[0, 1e16]"), "above 2^50", "rescale"],
    ["magnitude", edited("[0, 60]", "[-1e16, 0]"), "below -2^50", "rescale"],
    ["one bound", edited("[0, 60]", "[0]"), "pair of numbers", "bounds: [lowest, highest]"],
    ["fractional integer", edited("[16, 90]", "[16.5, 90]"), "must be a whole number", "fraction"],
    [
      "default out of bounds",
      edited("bounds: [0, 60]", "bounds: [0, 60], default: 61"),
      "within the bounds",
      "NULL",
    ],
    ["default out of bounds", edited("[16, 90]", "[16, 90], default: 1"), "within the bounds", "NULL"],
    [
      "default no category",
      edited("default: other", "default: others"),
      "one of the categories",
      "choose one",
    ],
    [
      "default no category",
      edited("[1, 2, 3]", "[1, 2, 3], default: 4"),
      "one of the categories",
      "choose one",
    ],
    [
      "bounds and categories",
      edited("[1, 2, 3]", "[1, 2], bounds: [1, 2]"),
      "cannot stand beside",
      "one of the two",
    ],
    ["repeated category", edited("construction, other", "other, other"), "twice", "once"],
    [
      "no category",
      edited("categories: [1, 2, 3]", "categories: []"),
      "must not be empty",
      "write categories",
    ],
    ["empty category", edited("[manufacturing", '[""'), "must not be the empty text", "NULL"],
    ["number as category", edited("[manufacturing", "[12"), "must be a text", "quotes"],
    ["not a list", edited("categories: [1, 2, 3]", "categories: 3"), "must be a list", "write categories"],
    ["category too long", edited("default: other", "max_length: 5"), "shorter than a category", "raise"],
    ["max_length", edited("max_length: 20", "max_length: 100000"), "above 10000", "at most"],
    [
      "date bound",
      edited("type: boolean, default: false", "type: date, bounds: [2020-02-30, 2021-01-01]"),
      "columns.married.bounds[0]: is not a date",
      "between 0001-01-01 and 9999-12-31",
    ],
    [
      "dates out of order",
      edited("type: boolean, default: false", "type: date, bounds: [2020-03-01, 2020-02-01]"),
      "must be before",
      "write bounds: [2020-01-01",
    ],
    [
      "a year as a date",
      edited("type: boolean, default: false", "type: timestamp, bounds: [1999, 2020]"),
      "must be a text",
      "quotes",
    ],
    [
      "a default outside",
      edited(
        "type: boolean, default: false",
        "type: date, bounds: [2020-01-01, 2020-02-01], default: 2020-02-02",
      ),
      "columns.married.default: must lie within",
      "between the bounds",
    ],
    [
      "type",
      edited("type: boolean", "type: money"),
      "columns.married.type: is not a type",
      "number, integer, text, boolean, date or timestamp",
    ],
    ["no type", edited("{ type: boolean, default: false }", "{}"), "is not a type of column", "write type"],
    [
      "no map",
      edited("{ type: boolean, default: false }", "7"),
      "must be a map of keys",
      "write a column as",
    ],
    ["boolean", edited("default: false", "default: 0"), "must be true or false", "write true or false"],
    [
      "unit row with k",
      edited("unit: row", "unit: row\n    max_groups_contributed: 2"),
      "must be 1",
      "unit: column_name",
    ],
    [
      "unit column missing",
      edited("unit: pid", "unit: pids"),
      '"pids", which columns does not',
      "declare it",
    ],
    [
      "unit column from the prototype",
      edited("unit: pid", "unit: constructor"),
      "does not declare",
      "declare it",
    ],
    [
      "unit column with bounds",
      edited("pid: { type: integer }", "pid: { type: integer, bounds: [0, 9] }"),
      "a type alone",
      "remove",
    ],
    [
      "unit",
      edited("unit: pid", "unit: [pid]"),
      "must be row, a column, or a foreign key",
      "write unit: row",
    ],
    ["zero groups", edited("contributed: 3", "contributed: 0"), "at least 1", "write 1"],
    [
      "two words for one limit",
      edited("limit: rows-before-filter", "limit: rows-before-filter\n    bound: rows-before-filter"),
      "is the older word for limit",
      "remove bound",
    ],
    [
      "limit",
      edited("rows-before-filter", "rows"),
      "is not a way to limit contributions",
      "groups-after-filter",
    ],
    ["file", edited("people.csv", "people.xlsx"), "is not a kind of file", ".csv, .parquet or .duckdb"],
    ["file", edited("people.csv", "https://x.org/people.csv"), "not an address", "download"],
    ["file", edited("people.csv", '""'), "must not be empty", ".csv"],
    ["csv for parquet", edited("people.csv", "people.parquet"), "is for .csv files alone", "remove"],
    [
      "relation for csv",
      edited("visits.duckdb", "visits.csv"),
      "is for .duckdb files and databases alone",
      "remove",
    ],
    ["relation", edited("main.visits", '""'), "must not be empty", "leave it out"],
    ["delimiter", edited('delimiter: ";"', 'delimiter: ";;"'), "one character", "delimiter"],
    ["delimiter", edited('delimiter: ";"', "delimiter: 1"), "one character", "delimiter"],
    ["delimiter", edited('delimiter: ";"', 'delimiter: "\\""'), "the same", "two different"],
    [
      "no columns",
      edited(/columns:\n( {6}pid.*\n)( {6}cost.*\n)/, "columns: {}\n"),
      "at least one column",
      "declare",
    ],
    [
      "columns",
      edited(/columns:\n( {6}pid.*\n)( {6}cost.*\n)/, "columns: 3\n"),
      "must be a map from column names",
      "column: …",
    ],
    ["same but for case", edited("cost:", "Pid:"), 'differs from "pid" only by case', "rename"],
    ["adjacency", edited("add-or-remove-one", "add-one"), "is not an adjacency", "replace-one"],
    ["version", edited("version: 1", "version: 2"), "is not a version", "version: 1"],
    [
      "zero ε",
      edited("epsilon: 0.1", "epsilon: 0"),
      "budget.epsilon: must be above 0",
      "as a number above 0",
    ],
    ["hex ε", edited("epsilon: 0.1", "epsilon: 0x1"), "must be above 0", "0.5, 1e-6"],
    ["nan ε", edited("epsilon: 0.1", "epsilon: .nan"), "must be above 0", "0.5"],
    ["list ε", edited("epsilon: 0.1", "epsilon: [1]"), "must be a number, above 0", "0.5"],
    ["δ = 1", edited("delta: 1e-6", "delta: 1"), "above 0 and below 1", "1e-6"],
    ["δ = 0", edited("delta: 1e-6", "delta: 0"), "above 0 and below 1", "1e-6"],
    ["pure δ", edited("approximate", "pure"), "0: a pure account has no delta", "delta"],
    ["pure ρ", edited(/measure: .*/, "measure: pure, epsilon: 1, rho: 1 }"), 'unknown key "rho"', "epsilon"],
    [
      "zcdp, both",
      edited(/measure: .*/, "measure: zcdp, epsilon: 1, delta: 1e-6, rho: 1 }"),
      "states rho, or",
      "rho alone",
    ],
    ["zcdp, none", edited(/measure: .*/, "measure: zcdp }"), "states rho, or", "rho alone"],
    [
      "zcdp ε, no δ",
      edited(/measure: .*/, "measure: zcdp, epsilon: 1 }"),
      "needs a delta above 0",
      "rho alone",
    ],
    ["measure", edited("approximate", "renyi"), "is not a privacy measure", "pure, approximate or zcdp"],
    ["no budget", edited(/budget: .*/, "budget: 5"), "must be a map of keys", "budget:"],
    [
      "empty head file",
      edited("budget: {", 'budget: { head_file: "",'),
      "budget.head_file: must not",
      "/mnt",
    ],
    ["head file of a URL", edited("budget: {", "budget: { head_file: s3://b/h,"), "not an address", "/mnt"],
    [
      "hidden head file",
      edited("budget: {", 'budget: { head_file: "a\\u202eb",'),
      "text-direction",
      "remove",
    ],
    ["head file of a list", edited("budget: {", "budget: { head_file: [a],"), "must be a text", "quotes"],
    ["sub-cap", edited("ana: 0.05", "ana: 0.2"), "budget.analysts.ana: is above the whole", "at most 0.1"],
    [
      "default δ of a pure account",
      edited(/budget: .*/, "budget: { measure: pure, epsilon: 1 }"),
      "has no delta",
      "remove",
    ],
    ["default δ", edited("delta: 1e-8", "delta: 1"), "at least 0 and below 1", "1e-6"],
    ["name too long", edited("cost:", `${"x".repeat(64)}:`), "is not a name", "1 to 63 bytes"],
    ["name reorders text", edited("cost:", '"a\\u202eb":'), "is not a name", "text-direction"],
    ["name with a control", edited("cost:", '"a\\u0007b":'), "is not a name", "control"],
    ["empty name", edited("cost:", '"":'), "is not a name", "1 to 63"],
    ["unit's name", edited("name: person", "name: 12"), "must be a name", "quotes"],
    ["category reorders text", edited("[manufacturing", '["a\\u2066"'), "text-direction", "remove"],
    ["empty", "", "must be a map of keys", "version, privacy_unit"],
    ["a list", "- 1", "must be a map of keys", "version, privacy_unit"],
  ])("%s", (_, text, wrong, fix) => {
    const error = refusal(text);
    expect(error.code).toBe("policy.invalid");
    expect(error.message).toMatch(/^line \d+, /);
    expect(error.message).toContain(wrong);
    expect(error.fix).toContain(fix);
  });

  test.each<[string, string, string]>([
    ["no YAML", "a: [1\nb: 2", "line 2"],
    ["repeated key", "version: 1\nversion: 1", "line 2"],
    ["anchor", "version: &x 1\nprivacy_unit: *x", "line 1"],
    ["anchored map", "tables: &x { a: 1 }", "no anchors"],
    ["alias", "version: *x", "line 1"],
    ["tag", "version: !!python/object 1", "line 1"],
    ["two documents", "version: 1\n---\nversion: 1", "line"],
    ["key is a list", "[1, 2]: 3", "plain text"],
    ["prototype", "tables: { __proto__: { x: 1 } }", "cannot be a name"],
    ["too long", "#".repeat((1 << 20) + 1), "longer than 1 MiB"],
    ["too deep", "[".repeat(20_000), ""],
  ])("unreadable: %s", (_, text, wrong) => {
    const error = refusal(text);
    expect(error.code).toBe("policy.unreadable");
    expect(error.message).toContain(wrong);
    expect(error.fix).not.toBe("");
  });

  test("the line is that of the fault", () => {
    expect(refusal(edited("bounds: [0, 60]", "bound: [0, 60]")).fields).toEqual({
      path: "tables.people.columns.wage.bound",
      line: 10,
      column: 29,
    });
    expect(refusal(edited("unit: pid", "unit: pids")).fields).toMatchObject({
      line: 19,
      path: "tables.visits.unit",
    });
    expect(refusal(edited("[16, 90]", "[16, 9x]")).fields).toMatchObject({ line: 12 });
  });

  test("several faults are named", () => {
    expect(refusal("version: 2\nprivacy_unit: {}").message).toMatch(
      /^line 1, version: .*; line \d, privacy_unit/,
    );
  });

  test("a path through a strange name is quoted", () => {
    expect(refusal(edited("cost: { type: number }", '"a b": { type: x }')).fields.path).toBe(
      'tables.visits.columns["a b"].type',
    );
  });
});

test("the JSON Schema describes every word of a policy, in a sentence", () => {
  const described: [string, string][] = [];
  const walk = (node: unknown, path: string): void => {
    if (typeof node !== "object" || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      if (key === "properties")
        for (const [word, of] of Object.entries(value as Record<string, { description?: string }>)) {
          described.push([`${path}.${word}`, of.description ?? ""]);
          walk(of, `${path}.${word}`);
        }
      else walk(value, path);
    }
  };
  walk(policyJsonSchema(), "policy");
  expect(described.length).toBeGreaterThan(50);
  expect(described.filter(([, words]) => !/^[A-Z].*\S \S.*[.]$/.test(words))).toEqual([]);
  const { key, rows_per_key, max_rows, max_rows_before_join } = Object.fromEntries(
    described.map(([path, words]) => [path.replace("policy.tables.", ""), words]),
  );
  expect(key).toContain("no two rows share its value");
  expect(rows_per_key).toContain("the most rows that share a value, at most 1000");
  expect(max_rows).toContain("the most rows that there are, at most 1000");
  expect(max_rows_before_join).toContain("the most rows of one unit");
});

test("the JSON Schema takes numbers and fractions for budgets and closes every map", () => {
  const schema = policyJsonSchema() as {
    properties: { budget: { oneOf?: unknown[]; anyOf?: unknown[] } };
    additionalProperties: boolean;
  };
  expect(schema.additionalProperties).toBe(false);
  const text = JSON.stringify(schema);
  expect(text).toContain('"anyOf":[{"type":"number"},{"type":"string"');
  expect(text).not.toContain('"exact"');
  expect(text).toContain("max_groups_contributed");
});
