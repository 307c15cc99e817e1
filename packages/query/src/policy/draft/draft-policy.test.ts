import { LetheError } from "@lethe/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseQuestion } from "../../parse/index.ts";
import { didYouMean, nearestName } from "../../refusals/did-you-mean.ts";
import { resolveQuestion } from "../../resolve/question/resolve-question.ts";
import { readPolicy } from "../file/read-policy.ts";
import { lintPolicy } from "../lint/lint-policy.ts";
import type { PolicyWarning } from "../lint/policy-warning.ts";
import { draftPolicy, type PolicyDraft } from "./draft-policy.ts";
import { readBoundsWord, readCategoriesWord } from "./draft-words.ts";

const draft: PolicyDraft = {
  table: "people",
  file: "people.csv",
  header: ["wage", "sector", "age", "married", "note"],
  unit: "row",
  bounds: Object.fromEntries([readBoundsWord("wage=0..60"), readBoundsWord("age=int:16..90")]),
  categories: Object.fromEntries([readCategoriesWord("sector=manufacturing,construction,other")]),
  types: { married: "boolean" },
};

const refusal = (run: () => unknown): LetheError => {
  try {
    run();
  } catch (error) {
    if (error instanceof LetheError) return error;
    throw error;
  }
  throw new Error("was accepted");
};

test("a draft is a policy made of the header and the owner's words", () => {
  const policy = readPolicy(draftPolicy(draft));
  expect(policy).toMatchObject({
    privacyUnit: { name: "person", adjacency: "add-or-remove-one" },
    budget: { measure: "approximate" },
    tables: {
      people: {
        unit: { kind: "row" },
        columns: {
          wage: { type: "number", bounds: [0, 60], default: null },
          sector: { type: "text", categories: ["manufacturing", "construction", "other"], default: "other" },
          age: { type: "integer", bounds: [16, 90] },
          married: { type: "boolean" },
          note: { type: "text", categories: null },
        },
      },
    },
  });
  expect(draftPolicy(draft)).toContain("not declared yet");
});

test("every word of the owner finds its place", () => {
  const policy = readPolicy(
    draftPolicy({
      table: "my visits",
      file: "x.duckdb",
      relation: "main.visits",
      header: ["pid", "row", "grade", "ward", "cost"],
      unit: "pid",
      unitName: "patient",
      adjacency: "replace-one",
      types: { pid: "integer", grade: "integer", cost: "number" },
      categories: { grade: ["1", "2"], ward: ["a", "b", "yes", "12"] },
      expectedRows: 100,
      maxGroups: 3,
      maxRowsPerGroup: 4,
      budget: { measure: "zcdp", rho: "1/2", delta: "1e-9", analysts: { ana: "0.1", true: "0.2" } },
      defaults: { epsilon: "0.5", delta: "1e-8" },
    }),
  );
  expect(policy).toMatchObject({
    privacyUnit: { name: "patient", adjacency: "replace-one" },
    tables: {
      "my visits": {
        relation: "main.visits",
        unit: { kind: "column", column: "pid" },
        contribution: { maxGroups: 3, maxRowsPerGroup: 4 },
        expectedRows: 100,
        columns: {
          pid: { type: "integer" },
          grade: { categories: [1, 2] },
          ward: { categories: ["a", "b", "yes", "12"], default: null },
          cost: { type: "number", bounds: null },
        },
      },
    },
    budget: { measure: "zcdp", rho: { num: 1n, den: 2n } },
    defaults: { epsilon: { num: 1n, den: 2n } },
  });
  expect(Object.keys(policy.budget.analysts)).toEqual(["ana", "true"]);
});

test("a unit column called row, and a delimiter", () => {
  const text = draftPolicy({
    ...draft,
    header: ["row", "pid"],
    unit: "pid",
    bounds: {},
    categories: {},
    types: {},
    delimiter: "\t",
  });
  expect(readPolicy(text).tables.people).toMatchObject({ unit: { column: "pid" }, csv: { delimiter: "\t" } });
});

test("any header that has usable names gives a policy with those names", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.string({ unit: "binary", minLength: 1, maxLength: 20 }), {
        minLength: 1,
        maxLength: 6,
      }),
      (header) => {
        let text: string;
        try {
          text = draftPolicy({ ...draft, header, bounds: {}, categories: {}, types: {} });
        } catch (error) {
          expect(error).toMatchObject({ code: "policy.invalid" });
          return;
        }
        expect(new Set(Object.keys(readPolicy(text).tables.people!.columns))).toEqual(new Set(header));
      },
    ),
    { numRuns: 2_000, seed: 3 },
  );
});

test.each([
  [{ header: ["wage", ""] }, "column 2 of the header"],
  [{ header: ["wage", "Wage"], categories: {}, types: {} }, "twice"],
  [{ bounds: { wages: { lo: "0", hi: "1", integer: false } } }, 'no column "wages"'],
  [{ unit: "pid" }, 'no column "pid"'],
])("a draft of %j is refused", (change, message) => {
  const error = refusal(() => draftPolicy({ ...draft, ...change }));
  expect(error.code).toBe("policy.invalid");
  expect(error.message).toContain(message);
});

test("words on the command line", () => {
  expect(readBoundsWord("a=b=-1.5e3..2")).toEqual(["a=b", { lo: "-1.5e3", hi: "2", integer: false }]);
  for (const word of [
    "wage",
    "wage=",
    "=0..1",
    "wage=0..",
    "wage=0..x",
    "wage=60..0",
    "wage=0..0",
    "wage=0..Infinity",
  ])
    expect(refusal(() => readBoundsWord(word)).code).toBe("cli.usage");
  expect(readCategoriesWord("s=a, b")).toEqual(["s", ["a", "b"]]);
  for (const word of ["s", "s=", "=a", "s=a,,b", "s=a,a"])
    expect(refusal(() => readCategoriesWord(word)).code).toBe("cli.usage");
});

test("near names are found among the known ones alone", () => {
  expect(nearestName("wages", ["age", "wage", "sector"])).toBe("wage");
  expect(nearestName("SECTR", ["wage", "sector"])).toBe("sector");
  expect(nearestName("xyz", ["wage", "sector"])).toBe(null);
  expect(nearestName("x".repeat(10_000), ["wage"])).toBe(null);
  expect(
    didYouMean(
      "zzz",
      Array.from({ length: 14 }, (_, i) => `column_${i}`),
    ),
  ).toMatch(/^write one of: .* and 2 more$/);
});

test("the lint speaks of δ beside the public number of rows, of a large ε, and of what the owner vouches for", () => {
  const lint = (change: (text: string) => string): string[] =>
    lintPolicy(readPolicy(change(draftPolicy({ ...draft, expectedRows: 534 })))).map(({ path }) => path);
  expect(lint((text) => text)).toEqual([]);
  expect(lint((text) => text.replace("delta: 1e-6", "delta: 1e-3"))).toEqual(["budget.delta"]);
  expect(lint((text) => text.replace("epsilon: 5", "epsilon: 12"))).toEqual(["budget"]);
  expect(lint((text) => `${text}defaults: { epsilon: 6, delta: 0.01 }\n`)).toEqual([
    "defaults.delta",
    "defaults.epsilon",
  ]);
  expect(lint((text) => text.replace(/measure: .*}/, "measure: zcdp, rho: 0.2 }"))).toEqual([]);
  expect(lint((text) => text.replace(/measure: .*}/, "measure: zcdp, rho: 2 }"))).toEqual(["budget"]);
  expect(lint((text) => text.replace("    unit:", "    trusted: true\n    unit:"))).toEqual([
    "tables.people.trusted",
  ]);
  const unknown = lintPolicy(
    readPolicy(draftPolicy({ ...draft, budget: { measure: "approximate", epsilon: "1", delta: "0.1" } })),
  );
  expect(unknown).toEqual([]);
});

test("the lint says which ε the ρ of an account is at δ = 1e-6", () => {
  const text = draftPolicy({ ...draft, expectedRows: 534 }).replace(
    /measure: .*}/,
    "measure: zcdp, rho: 2 }",
  );
  // 2 + 2·√(2·ln 10⁶).
  expect(lintPolicy(readPolicy(text)).map(({ message }) => message)).toEqual([
    expect.stringContaining("ε = 12.5:"),
  ]);
});

test.each([
  ["2e-5", ["budget.delta"]],
  ["1.99e-5", []],
])(
  "the lint speaks of δ from a hundredth of one in the public number of rows on: %s of 500",
  (delta, paths) => {
    const text = draftPolicy({ ...draft, expectedRows: 500 }).replace("delta: 1e-6", `delta: ${delta}`);
    expect(lintPolicy(readPolicy(text)).map(({ path }) => path)).toEqual(paths);
  },
);

test("the lint speaks of unlike units under one budget", () => {
  const two = (second: string): string[] =>
    lintPolicy(
      readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: pure, epsilon: 1 }
tables:
  people: { file: a.csv, unit: row, columns: { age: { type: integer, bounds: [0, 90] } } }
  visits: { file: b.csv, unit: ${second}, columns: { id: { type: text } } }
`),
    ).map(({ path }) => path);
  expect(two("row")).toEqual([]);
  expect(two("id")).toEqual(["tables"]);
});

describe("the lint of a public table that no question can join", () => {
  const policyText = (
    words: string,
    columns = "{ code: { type: text }, kind: { type: integer } }",
  ): string => `
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 1, delta: 1e-6 }
tables:
  visits: { file: a.parquet, unit: id, columns: { id: { type: text }, kind: { type: integer }, size: { type: number, bounds: [0, 9] } } }
  codes: { file: b.csv, public: true, ${words}columns: ${columns} }
`;
  const lint = (words: string, columns?: string): readonly PolicyWarning[] =>
    lintPolicy(readPolicy(policyText(words, columns)));
  const asked = async (words: string, on: string, columns?: string): Promise<unknown> =>
    resolveQuestion(
      await parseQuestion(`SELECT COUNT(*) FROM visits v JOIN codes c ON ${on}`),
      readPolicy(policyText(words, columns)),
    );

  test("names the column that a private table has too, with words that were tried", async () => {
    const [advice, ...more] = lint("");
    expect(more).toEqual([]);
    expect(advice).toMatchObject({
      path: "tables.codes",
      message: expect.stringContaining("every question that joins it is refused"),
      fix: "declare below codes in the policy key: kind, if no two rows share it, or rows_per_key: { kind: 40 } with the most that do, or state max_rows, of at most 1000, below codes in the policy",
    });
    await expect(asked("", "v.kind = c.kind")).rejects.toMatchObject({ code: "query.unsupported" });
    for (const words of ["key: kind, ", "rows_per_key: { kind: 40 }, ", "max_rows: 1000, "]) {
      expect(lint(words), words).toEqual([]);
      await expect(asked(words, "v.kind = c.kind")).resolves.toBeDefined();
    }
  });

  test("names no column where numbers are all there is", async () => {
    const columns = "{ size: { type: number, bounds: [0, 9] } }";
    const [advice] = lint("", columns);
    expect(advice?.fix).toBe("state max_rows, of at most 1000, below codes in the policy");
    await expect(asked("", "v.size = c.size", columns)).rejects.toMatchObject({ code: "query.unsupported" });
    await expect(asked("max_rows: 1000, ", "v.size = c.size", columns)).resolves.toBeDefined();
  });

  test("names a column as YAML takes it", () => {
    const [advice] = lint("", '{ "no": { type: boolean } }');
    expect(advice?.fix).toContain('rows_per_key: { "no": 40 }, with the most rows that share a value');
    expect(lint('rows_per_key: { "no": 40 }, ', '{ "no": { type: boolean } }')).toEqual([]);
  });
});

test("dates and timestamps between the owner's bounds", () => {
  const words = ["wage=2010-01-01..2029-12-31", "age=2010-01-01 06:00..2029-12-31 23:59:59"];
  const bounds = Object.fromEntries(words.map(readBoundsWord));
  const { columns } = readPolicy(draftPolicy({ ...draft, bounds })).tables.people!;
  expect(columns.wage).toEqual({ type: "date", nullable: true, bounds: [14_610, 21_914], default: null });
  expect(columns.age).toMatchObject({ type: "timestamp", bounds: [1_262_325_600e6, 1_893_455_999e6] });
  expect(refusal(() => readBoundsWord("hired=2010-01-01..2009-12-31")).fix).toContain(
    "the earlier one first",
  );
  expect(refusal(() => readBoundsWord("hired=2010-02-30..2029-12-31")).message).toContain("are no dates");
});
