import { describe, expect, test } from "vitest";
import { readPolicy } from "../file/read-policy.ts";
import { lintPolicy } from "./lint-policy.ts";
import type { PolicyWarning } from "./policy-warning.ts";

interface Words {
  readonly budget?: string;
  readonly defaults?: string;
  readonly tables?: string;
}
const rows = "  people: { file: a.csv, unit: row, expected_rows: 500, columns: { age: { type: integer } } }";
const lint = ({
  budget = "measure: approximate, epsilon: 5, delta: 1e-6",
  defaults = "",
  tables = rows,
}: Words) =>
  lintPolicy(
    readPolicy(`version: 1
privacy_unit: { name: patient, adjacency: add-or-remove-one }
budget: { ${budget} }
${defaults === "" ? "" : `defaults: { ${defaults} }`}
tables:
${tables}`),
  );
const paths = (words: Words): readonly string[] => lint(words).map(({ path }) => path);

describe("the lint", () => {
  test("says what an ε beyond 5 lets others believe, of each measure", () => {
    const large = (epsilon: string): PolicyWarning => ({
      path: "budget",
      message: `over its whole life this account allows ε = ${epsilon}: what an attacker believes about one patient may shift by a factor of e^ε`,
      fix: "0.1 to 5 is the usual range; choose a smaller budget unless the data are mild",
    });
    expect(lint({ budget: "measure: pure, epsilon: 5" })).toEqual([]);
    expect(lint({ budget: "measure: pure, epsilon: 5.01" })).toEqual([large("5.01")]);
    expect(lint({ budget: "measure: pure, epsilon: 123.45" })).toEqual([large("123")]);
    // ρ + 2√(ρ·ln 10⁶) is 4.9976 at ρ = 0.385, and 5.1016 at 0.4.
    expect(lint({ budget: "measure: zcdp, rho: 0.385" })).toEqual([]);
    expect(lint({ budget: "measure: zcdp, rho: 0.4" })).toEqual([large("5.10")]);
    expect(lint({ budget: "measure: zcdp, epsilon: 6, delta: 1e-6" })).toEqual([large("6.00")]);
  });

  test("says when δ is no longer far below one in the number of rows", () => {
    const [budget, defaults, ...more] = lint({
      budget: "measure: approximate, epsilon: 5, delta: 1e-3",
      defaults: "delta: 1e-4",
    });
    expect(more).toEqual([]);
    const message =
      "δ is the chance that the promise fails; with about 500 rows in people it is not far below 1/500, and publishing a random row would satisfy such a δ";
    const fix = "write a δ below 2e-5, or leave the warning if people is public";
    expect([budget, defaults]).toEqual([
      { path: "budget.delta", message, fix },
      { path: "defaults.delta", message, fix },
    ]);
    expect(paths({ defaults: "delta: 2e-5" })).toEqual(["defaults.delta"]);
    expect(paths({ defaults: "delta: 0.0000199" })).toEqual([]);
    expect(paths({ budget: "measure: pure, epsilon: 1" })).toEqual([]);
  });

  test("says when a question by itself costs more than there is", () => {
    expect(lint({ defaults: "epsilon: 5.1" })).toEqual([
      {
        path: "defaults.epsilon",
        message: "a question that states no ε costs more than the whole budget",
        fix: "lower defaults.epsilon to a part of the budget",
      },
    ]);
    expect(paths({ defaults: "epsilon: 5" })).toEqual([]);
    // ρ and ε are not compared.
    expect(paths({ budget: "measure: zcdp, rho: 0.1", defaults: "epsilon: 5" })).toEqual([]);
  });

  test("says what the owner vouches for", () => {
    const tables =
      "  people: { file: a.duckdb, trusted: true, unit: row, columns: { age: { type: integer } } }";
    expect(lint({ tables })).toEqual([
      {
        path: "tables.people.trusted",
        message:
          "the policy trusts people: nothing checks that a row can never make reading it fail, or that what is read of one patient depends on no other; if either is wrong, answers reveal single rows at no price",
        fix: "name a table that stores these rows and remove trusted: true",
      },
    ]);
  });

  test("says whom rows of unlike units do not protect", () => {
    const table = (name: string, unit: string): string =>
      `  ${name}: { file: ${name}.csv, ${unit}, columns: { id: { type: text } } }`;
    const people = table("people", "key: id, unit: pid").replace("{ id:", "{ pid: { type: text }, id:");
    const among = (...tables: readonly string[]): readonly string[] => paths({ tables: tables.join("\n") });
    expect(among(table("a", "unit: row"), table("b", "unit: row"))).toEqual([]);
    expect(among(table("a", "unit: id"), people)).toEqual([]);
    expect(among(table("a", "unit: row"), people)).toEqual(["tables"]);
    expect(among(table("a", "unit: { through: id, references: people.id }"), people)).toEqual([]);
    expect(
      among(table("a", "unit: { through: id, references: people.id }"), people, table("c", "unit: row")),
    ).toEqual(["tables"]);
    expect(among(table("a", "unit: row"), table("b", "public: true, max_rows: 3"))).toEqual([]);
    const [warning] = lint({ tables: [table("a", "unit: row"), table("b", "unit: id")].join("\n") });
    expect(warning!.message).toContain(
      "a patient with many rows in a unit: row table is not protected there as a whole",
    );
    expect(warning!.fix).toContain("give every table the column that names the unit");
  });

  test("says which public tables no question can join, and proposes what is likely to be met", () => {
    const joined = (words: string, columns: string): readonly PolicyWarning[] =>
      lint({
        tables: `${rows}\n  visits: { file: v.csv, unit: who, columns: { who: { type: text }, zip: { type: integer }, size: { type: number } } }
  codes: { file: b.csv, public: true, ${words}columns: ${columns} }`,
      }).filter(({ path }) => path === "tables.codes");
    const fix = (columns: string, words = ""): string | undefined => joined(words, columns)[0]?.fix;
    const size = "state max_rows, of at most 1000, below codes in the policy";
    const key = (name: string): string =>
      `declare below codes in the policy key: ${name}, if no two rows share it, or rows_per_key: { ${name}: 40 } with the most that do, or ${size}`;
    expect(joined("", "{ code: { type: text } }")).toEqual([
      {
        path: "tables.codes",
        message:
          "the policy does not say how many rows of codes a row may match: every question that joins it is refused",
        fix: key("code"),
      },
    ]);
    // The column that a private table has too comes first, unless its values are not counted one by one.
    expect(fix("{ code: { type: text }, zip: { type: integer } }")).toBe(key("zip"));
    expect(fix("{ code: { type: text }, size: { type: number } }")).toBe(key("code"));
    expect(fix("{ day: { type: date } }")).toBe(
      `declare below codes in the policy rows_per_key: { day: 40 }, with the most rows that share a value, or ${size}`,
    );
    expect(fix("{ size: { type: number } }")).toBe(size);
    for (const words of ["key: code, ", "rows_per_key: { code: 4 }, ", "max_rows: 4, "])
      expect(joined(words, "{ code: { type: text } }")).toEqual([]);
  });
});
