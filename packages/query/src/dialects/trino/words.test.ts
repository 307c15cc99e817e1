import { describe, expect, it } from "vitest";
import { readPolicy } from "../../policy/file/read-policy.ts";
import type { ColumnPolicy } from "../../policy/policy.ts";
import { isTrinoType, trino, withTrinoSeed } from "../index.ts";

/* What Trino reads in its own way, as it is written; what that means is shown on a server by ./totality.test.ts and its neighbours. */

const { columns } = trino;
const column = (words: string): ColumnPolicy =>
  readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 1, delta: 1e-6 }
tables: { t: { file: t.csv, unit: row, columns: { c: ${words} } } }
`).tables.t!.columns.c!;

describe("the seed", () => {
  it("stands wherever the statement names it, and nowhere else", () => {
    const sql = `SELECT md5(?), 'who?', "what?", U&'it''s\\0009?', '' || ?`;
    expect(withTrinoSeed(sql, "it's")).toBe(
      `SELECT md5('it''s'), 'who?', "what?", U&'it''s\\0009?', '' || 'it''s'`,
    );
    // No seed ends the text that it stands in, nor stands for something else.
    expect(withTrinoSeed("SELECT ?", "$&'\n?")).toBe("SELECT U&'$&''\\000a?'");
  });
});

describe("literals", () => {
  it("of texts hold what is not to be seen by its number, and all else as it is", () => {
    expect(["it's", "a\\b", "😀", "\ta\\"].map(trino.text)).toEqual([
      ...["'it''s'", "'a\\b'", "'😀'", "U&'\\0009a\\\\'"],
    ]);
  });

  it("of integers beyond 64 bits are decimals", () => {
    const { integer } = trino.write;
    expect([2n ** 63n - 1n, -(2n ** 63n) + 1n, 7].map(integer)).toEqual([
      ...["9223372036854775807", "(-9223372036854775807)", "7"],
    ]);
    expect([2n ** 63n, -(2n ** 63n)].map(integer)).toEqual([
      ...["DECIMAL '9223372036854775808'", "DECIMAL '-9223372036854775808'"],
    ]);
  });

  it("of doubles have an exponent: a number without one is a decimal", () => {
    expect([0.5, -2, 1e21, 5e-324, 0].map(trino.double)).toEqual([
      ...["0.5E0", "(-2E0)", "1E+21", "5E-324", "0E0"],
    ]);
  });
});

describe("sums", () => {
  it("are made wide before they are added up where they might not fit, those of distinct values always", () => {
    expect(trino.write.sum("x")).toBe("sum(CAST(x AS decimal(38, 0)))");
    // 2^40 rows of up to 2^23 − 1 are below 2^63.
    expect(trino.write.sum("x", 2n ** 23n - 1n)).toBe("sum(x)");
    expect(trino.write.sum("x", 2n ** 23n)).toBe("sum(CAST(x AS decimal(38, 0)))");
    expect(trino.write.sumDistinct("x")).toBe("sum(DISTINCT CAST(x AS decimal(38, 0)))");
  });

  it("and all between them fit the digits of a decimal: what the planner lets through is below 2^126", () => {
    // ../../plan/checks/verify.ts: 2·r·Σ over 2^40 rows, of 127 bits with its sign, and n beside it.
    expect(2n ** 126n + 2n ** 41n).toBeLessThan(10n ** 38n);
  });

  it("are divided without the rounding of decimals", () => {
    expect(trino.quotient("a", "b")).toBe("((a - a % b) / b)");
  });
});

describe("columns", () => {
  const parsed = (words: string, native: string): string => columns.parse(column(words), "c", native);

  it("of char(n) are read without their padding", () => {
    expect(parsed("{ type: text }", "char(5)")).toBe("trim(TRAILING ' ' FROM CAST(c AS varchar))");
    expect(parsed("{ type: text }", "varchar(5)")).toBe("CAST(c AS varchar)");
    expect(columns.unit("c", "char(5)")).toContain("trim(TRAILING ' ' FROM CAST(c AS varchar))");
  });

  it("of decimals become the nearest double, by their text", () => {
    expect(parsed("{ type: number }", "decimal(38,6)")).toBe("CAST(CAST(c AS varchar) AS double)");
    expect(parsed("{ type: number }", "bigint")).toBe("CAST(c AS double)");
  });

  it("of dates are no times where a cast would wrap, and of finer timestamps are cut", () => {
    expect(parsed("{ type: date }", "date")).toBe(
      "CASE WHEN c BETWEEN DATE '0001-01-01' AND DATE '9999-12-31' THEN CAST(c AS timestamp(6)) END",
    );
    expect(parsed("{ type: timestamp }", "timestamp(6)")).toBe("CAST(c AS timestamp(6))");
    expect(parsed("{ type: timestamp }", "timestamp(9)")).toContain("substr(CAST(c AS varchar), 1, 26)");
    expect(parsed("{ type: timestamp }", "timestamp(9) with time zone")).toContain("AT TIME ZONE 'UTC'");
  });

  it("of texts are matched to their very end", () => {
    expect(parsed("{ type: number }", "varchar")).toContain("\\z'");
    expect(parsed("{ type: date }", "varchar")).toContain("\\z'");
    expect(`${parsed("{ type: number }", "varchar")}${parsed("{ type: date }", "varchar")}`).not.toContain(
      "$",
    );
  });

  it("are asked where their type has a text of its own", () => {
    for (const type of [
      "bigint",
      "real",
      "decimal(3,0)",
      "char(3)",
      "varchar",
      "timestamp(12) with time zone",
      "uuid",
    ])
      expect(isTrinoType(type), type).toBe(true);
    for (const type of [
      "array(bigint)",
      "row(x bigint)",
      "map(varchar, bigint)",
      "json",
      "varbinary",
      "interval day to second",
    ])
      expect(isTrinoType(type), type).toBe(false);
  });

  it("tell units apart by what equal numbers are spelled alike", () => {
    expect(columns.unit("c", "double")).toBe("CAST(CAST(c AS double) + 0E0 AS varchar)");
    expect(columns.unit("c", "decimal(9,2)")).toBe(
      "trim(TRAILING '.' FROM trim(TRAILING '0' FROM CAST(c AS varchar)))",
    );
    expect(columns.unit("c", "decimal(9,0)")).toBe("CAST(c AS varchar)");
    expect(columns.ownUnit("c", "bigint").value).toBe("c");
    expect(columns.ownUnit("c", "varchar").value).toContain("sha256");
  });
});

describe("questions of public tables", () => {
  const { cast, functionName, lacks, time } = trino.publicRows;
  it("have Trino's types and names, and say what it lacks or means otherwise", () => {
    expect(cast("x", "TEXT")).toBe("TRY_CAST(x AS VARCHAR)");
    expect(cast("x", "NUMERIC")).toBe("TRY_CAST(x AS DECIMAL(38, 9))");
    expect(cast("x", "DATE")).toBe("TRY_CAST(x AS DATE)");
    expect(["trunc", "abs", "last_day"].map(functionName)).toEqual(["truncate", "abs", "last_day_of_month"]);
    for (const name of ["date_diff", "skewness", "left", "regr_r2"]) expect(lacks.has(name), name).toBe(true);
    expect(time("date", "(-5)")).toBe("date_add('day', (-5), DATE '1970-01-01')");
    expect(time("timestamp", "7")).toContain("CAST(7 AS bigint) * 1000");
  });
});
