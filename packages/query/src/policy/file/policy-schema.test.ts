import { ratio } from "@lethe/core";
import { describe, expect, test } from "vitest";
import { refusalOf } from "../../testing/refusal-of.ts";
import type { BudgetPolicy, Policy, TablePolicy } from "../policy.ts";
import { readPolicy } from "./read-policy.ts";

const pure = "{ measure: pure, epsilon: 5 }";
const columns = "columns: { id: { type: text }, age: { type: integer } }";

const read = (table: string, { budget = pure, more = "" } = {}): Policy =>
  readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: ${budget}
tables:
  People: { ${table}, ${columns} }
${more}`);

const refused = async (run: () => unknown): Promise<readonly [place: string, wrong: string, fix: string]> => {
  const { code, message, fix } = await refusalOf((async () => run())());
  expect(code).toBe("policy.invalid");
  const [, place, wrong] = /^line \d+, (\S*): (.*)$/.exec(message)!;
  return [place!, wrong!, fix];
};

describe("the source of a table", () => {
  const table = (words: string): TablePolicy => read(`${words}, unit: row`).tables.People!;

  test.each(["a.csv", "A.CSV", "./d/a.Parquet", "/x y/a.duckdb", "a.csv.parquet"])(
    "is the file %s",
    (file) => {
      expect(table(`file: "${file}"`).file).toBe(file);
    },
  );

  test.each(["a.csvx", "a.db", "csv", "a.csv ", "a.parquet.gz"])("is no file %s", async (file) => {
    expect(await refused(() => table(`file: "${file}"`))).toEqual([
      "tables.People.file",
      "is not a kind of file that Lethe reads",
      "name a .csv, .parquet or .duckdb file",
    ]);
  });

  test("is read as a CSV where it is one, in whatever case its name is written", async () => {
    const marks = { delimiter: ",", quote: '"', header: true };
    expect(table("file: a.csv").csv).toEqual(marks);
    expect(table("file: a.CSV, csv: { header: false }").csv).toEqual({ ...marks, header: false });
    expect(table('file: a.csv, csv: { quote: "\'" }').csv).toEqual({ ...marks, quote: "'" });
    // A character outside the basic plane is one character.
    expect(table('file: a.csv, csv: { delimiter: "😀" }').csv).toEqual({ ...marks, delimiter: "😀" });
    for (const file of ["a.parquet", "a.csv.duckdb"])
      expect((await refused(() => table(`file: ${file}, csv: { header: true }`))).slice(0, 2)).toEqual([
        "tables.People.csv",
        "is for .csv files alone",
      ]);
  });

  test.each(["delimiter", "quote"])("has as its %s one character that ends no line", async (mark) => {
    for (const written of ['""', '"ab"', '"\\n"', '"\\r"', '"\\0"', '"\\ud800"'])
      expect(await refused(() => table(`file: a.csv, csv: { ${mark}: ${written} }`))).toEqual([
        `tables.People.csv.${mark}`,
        "must be one character, no line break",
        `write ${mark}: "…" with one character`,
      ]);
    expect(await refused(() => table(`file: a.csv, csv: { ${mark}: 5 }`))).toEqual([
      `tables.People.csv.${mark}`,
      "must be one character",
      `write ${mark}: "…"`,
    ]);
  });

  test.each(['delimiter: "\\""', 'quote: ","', 'delimiter: ";", quote: ";"'])(
    "does not end and enclose a value by one character: %s",
    async (marks) => {
      expect(await refused(() => table(`file: a.csv, csv: { ${marks} }`))).toEqual([
        "tables.People.csv",
        "delimiter and quote are the same",
        "choose two different characters",
      ]);
    },
  );

  test("has a relation in a .duckdb file alone", async () => {
    expect(table("file: a.DuckDB, relation: s.r").relation).toBe("s.r");
    for (const file of ["a.csv", "a.parquet"])
      expect((await refused(() => table(`file: ${file}, relation: r`))).slice(0, 2)).toEqual([
        "tables.People.relation",
        "is for .duckdb files and databases alone",
      ]);
  });

  test("is trusted where the policy says so", () => {
    expect(table("file: a.duckdb, trusted: true").trusted).toBe(true);
    expect(table("file: a.duckdb, trusted: false").trusted).toBe(false);
    expect(table("file: a.duckdb").trusted).toBe(false);
  });
});

describe("the account", () => {
  const table = "file: a.csv, unit: row";
  const account = (budget: string): BudgetPolicy => read(table, { budget: `{ ${budget} }` }).budget;

  test.each([
    ["measure: pure, epsilon: 1/2", "1/2"],
    ["measure: approximate, epsilon: 1/2, delta: 1e-6", "1/2"],
    ["measure: zcdp, rho: 1/2", "1/2"],
    ["measure: zcdp, epsilon: 1/2, delta: 1e-6", "1/2"],
  ])("{ %s } may be given to one analyst whole, and not more", async (words, whole) => {
    expect(account(`${words}, analysts: { ana: ${whole}, bo: 0.25 }`).analysts).toEqual({
      ana: ratio(1n, 2n),
      bo: ratio(1n, 4n),
    });
    expect(await refused(() => account(`${words}, analysts: { ana: 0.1, bo: 0.5000001 }`))).toEqual([
      "budget.analysts.bo",
      "is above the whole budget",
      "write at most 1/2",
    ]);
    expect((await refused(() => account(`${words}, analysts: { ana: 0 }`)))[1]).toBe("must be above 0");
  });

  test("of δ is at least 0 and below 1, as its measure needs it", async () => {
    expect(account("measure: approximate, epsilon: 1, delta: 0.999999").delta).toEqual(
      ratio(999_999n, 1_000_000n),
    );
    expect(account("measure: zcdp, rho: 1, delta: 0").delta).toEqual(ratio(0n));
    for (const delta of ["0", "1", "-0.1"])
      expect(await refused(() => account(`measure: approximate, epsilon: 1, delta: ${delta}`))).toEqual([
        "budget.delta",
        "must be above 0 and below 1",
        'write delta as a number above 0 and below 1, such as 0.5, 1e-6 or "1/3"',
      ]);
    for (const delta of ["1", "-0.1"])
      expect((await refused(() => account(`measure: zcdp, rho: 1, delta: ${delta}`)))[1]).toBe(
        "must be at least 0 and below 1",
      );
    for (const delta of ["0.1", "-0.1"])
      expect((await refused(() => account(`measure: pure, epsilon: 1, delta: ${delta}`)))[1]).toBe(
        "must be 0: a pure account has no delta",
      );
  });

  test("in zCDP is a ρ, or an ε with a δ above 0", async () => {
    const either = "write rho alone, or epsilon together with delta";
    const two = "a zcdp account states rho, or epsilon and delta";
    expect(await refused(() => account("measure: zcdp, delta: 1e-6"))).toEqual([
      "budget.measure",
      two,
      either,
    ]);
    expect(await refused(() => account("measure: zcdp, rho: 1, epsilon: 1, delta: 1e-6"))).toEqual([
      "budget.epsilon",
      two,
      either,
    ]);
    for (const words of ["", ", delta: 0"])
      expect(await refused(() => account(`measure: zcdp, epsilon: 1${words}`))).toEqual([
        "budget.epsilon",
        "needs a delta above 0 to become a rho",
        either,
      ]);
    for (const words of ["rho: 0", "epsilon: 0, delta: 1e-6"])
      expect((await refused(() => account(`measure: zcdp, ${words}`)))[1]).toBe("must be above 0");
  });

  test("is closed where the policy says so, and silent where it does not", () => {
    expect(account("measure: pure, epsilon: 1, closed: true").closed).toBe(true);
    expect(account("measure: pure, epsilon: 1, closed: false").closed).toBe(false);
    expect(account("measure: pure, epsilon: 1")).not.toHaveProperty("closed");
  });

  test("of a pure measure takes no default δ but 0", async () => {
    const asked = (delta: string, budget = pure): Policy =>
      read(table, { budget, more: `defaults: { epsilon: 1/3, delta: ${delta} }` });
    expect(asked("0").defaults).toEqual({ epsilon: ratio(1n, 3n), delta: ratio(0n) });
    expect(asked("1e-9", "{ measure: zcdp, rho: 1 }").defaults.delta).toEqual(ratio(1n, 1_000_000_000n));
    expect(await refused(() => asked("1e-9"))).toEqual([
      "defaults.delta",
      "a pure account has no delta",
      "remove it, or choose measure: approximate",
    ]);
    expect((await refused(() => asked("1"))).slice(0, 2)).toEqual([
      "defaults.delta",
      "must be at least 0 and below 1",
    ]);
    expect(read(table).defaults).toEqual({ epsilon: null, delta: null });
  });
});

describe("views", () => {
  const views = (words: string): Policy => read("file: a.csv, unit: row", { more: `views: { ${words} }` });

  test.each(["SELECT 1", "  select *", "WITH a AS (SELECT 1) SELECT 1", "Select\\n1"])("may be %s", (sql) => {
    expect(views(`v: "${sql}"`).views).toEqual({ v: sql.replace("\\n", "\n") });
  });

  test("are none where the policy names none", () => {
    expect(read("file: a.csv, unit: row").views).toEqual({});
  });

  test.each(['""', "DELETE FROM t", "selected", "withdraw", "x SELECT 1", "VALUES (1)"])(
    "are SELECTs, and not %s",
    async (sql) => {
      expect(await refused(() => views(`v: ${sql}`))).toEqual([
        "views.v",
        "is not a SELECT",
        "write SELECT … FROM one of the tables",
      ]);
    },
  );

  test("have no name of a table, whatever its case", async () => {
    for (const name of ["People", "people", "PEOPLE"])
      expect(await refused(() => views(`${name}: SELECT 1`))).toEqual([
        `views.${name}`,
        "has the name of a table",
        "rename the view",
      ]);
    expect(Object.keys(views("people2: SELECT 1, others: SELECT 2").views)).toEqual(["people2", "others"]);
  });
});

test("names that differ by case alone are refused at the later one", async () => {
  for (const [words, place, other] of [
    ["rows_per_key: { age: 2, Age: 3 }", "tables.People.rows_per_key.Age", "age"],
    ["rows_per_key: { ID: 2, age: 3, id: 4 }", "tables.People.rows_per_key.id", "ID"],
  ] as const)
    expect(await refused(() => read(`file: a.csv, public: true, ${words}`))).toEqual([
      place,
      expect.stringContaining(`differs from "${other}" only by case`),
      "rename one of the two",
    ]);
});
