import { describe, expect, it } from "vitest";
import { duckdb } from "../../dialects/duckdb/index.ts";
import { printQuery } from "../../dialects/print-query.ts";
import type { RowLimit } from "../../relations/relation.ts";
import { select, table } from "../../sql/query.ts";
import { limitedRows, type RowsToLimit } from "./limited-rows.ts";

const columns = { code: { type: "text" }, cost: { type: "integer" } } as unknown as RowsToLimit["columns"];
const names = new Map([
  ["code", "c0"],
  ["cost", "c1"],
]);
const all = select([], table("everything"));
const limited = (limits: readonly RowLimit[], more: Partial<RowsToLimit> = {}): string =>
  printQuery(
    limitedRows({ all, limits, columns, names, keys: new Map(), ...more }, duckdb),
    duckdb.words,
  ).replaceAll("SELECT 1 AS nothing FROM everything", "ALL");
const written = new Map([["code", "k0"]]);

describe("public rows", () => {
  it("are the first of each value, in the order of all that is read", () => {
    expect(limited([{ per: "value", column: "code", rows: 3 }])).toBe(
      "SELECT kept.c0, kept.c1 FROM (SELECT rows.c0, rows.c1, row_number() OVER (PARTITION BY rows.c0 ORDER BY rows.c0, rows.c1) AS place FROM (ALL) AS rows) AS kept WHERE kept.place <= 3",
    );
  });
  it("are the first of all, keys as they are written among what is read", () => {
    expect(limited([{ per: "table", rows: 7 }], { keys: written })).toBe(
      "SELECT kept.c0, kept.c1, kept.k0 FROM (SELECT rows.c0, rows.c1, rows.k0, row_number() OVER (ORDER BY rows.c0, rows.c1, rows.k0) AS place FROM (ALL) AS rows) AS kept WHERE kept.place <= 7",
    );
  });
  it("are limited by one limit after the other", () => {
    const both = limited([
      { per: "value", column: "cost", rows: 2 },
      { per: "table", rows: 5 },
    ]);
    expect(both.match(/PARTITION BY [^ ]+/g)).toEqual(["PARTITION BY rows.c1"]);
    expect(both.match(/place <= \d+/g)).toEqual(["place <= 2", "place <= 5"]);
  });
  it("of which nothing is read are only counted", () => {
    expect(limited([{ per: "table", rows: 1 }], { columns: {}, names: new Map() })).toBe(
      "SELECT 1 AS nothing FROM (SELECT row_number() OVER () AS place FROM (ALL) AS rows) AS kept WHERE kept.place <= 1",
    );
  });
});

describe("rows of units", () => {
  const per = (clause: string, sql: string): readonly string[] =>
    [...(sql.match(new RegExp(clause, "g")) ?? [])].sort();

  it("are ranked within their unit, where it has more than the limit, and the others are left as they are", () => {
    const sql = limited([{ per: "unit", rows: 4 }]);
    expect(sql).toMatch(
      /^WITH many AS MATERIALIZED \(SELECT rows\.u FROM \(ALL\) AS rows GROUP BY rows\.u HAVING count\(\*\) > 4\) /,
    );
    expect(sql).toContain(
      "SELECT rows.c0, rows.c1, rows.u FROM (ALL) AS rows WHERE NOT EXISTS (SELECT 1 FROM many WHERE many.u = rows.u) UNION ALL SELECT kept.c0, kept.c1, kept.u FROM",
    );
    expect(sql).toContain("FROM (ALL) AS rows WHERE EXISTS (SELECT 1 FROM many WHERE many.u = rows.u)");
    expect(per("PARTITION BY [^ ]+(?:, rows\\.\\w+)* ORDER", sql)).toEqual(["PARTITION BY rows.u ORDER"]);
    expect(sql).toMatch(/, rows\.u\) AS place/);
    expect(sql).toMatch(/kept\.place <= 4$/);
  });

  it("are ranked within unit and key, but where the key is missing", () => {
    const sql = limited([{ per: "unit-and-key", column: "code", rows: 2 }], { keys: written });
    expect(per("PARTITION BY [^ ]+(?:, rows\\.\\w+)* ORDER", sql)).toEqual([
      "PARTITION BY rows.u, rows.k0 ORDER",
    ]);
    expect(sql).toContain("CASE WHEN rows.k0 IS NULL THEN 1 ELSE row_number()");
    expect(sql).toContain(
      "SELECT own.u FROM (SELECT rows.u, rows.k0 AS k, count(*) AS n FROM (ALL) AS rows GROUP BY rows.u, rows.k0) AS own GROUP BY own.u HAVING max(CASE WHEN own.k IS NOT NULL THEN own.n END) > 2)",
    );
    // Rows of one hash come in the order of their keys as they are written.
    expect(sql).toMatch(/, rows\.k0, rows\.u\) END AS place/);
    expect(sql).toMatch(/kept\.place <= 2$/);
  });

  it("are found by either limit, and kept by both", () => {
    const sql = limited(
      [
        { per: "unit-and-key", column: "code", rows: 2 },
        { per: "unit", rows: 9 },
      ],
      { keys: written },
    );
    expect(sql).toContain("HAVING max(CASE WHEN own.k IS NOT NULL THEN own.n END) > 2 OR sum(own.n) > 9)");
    expect(per("place <= \\d+", sql)).toEqual(["place <= 2", "place <= 9"]);
    expect(per("PARTITION BY [^ ]+(?:, rows\\.\\w+)* ORDER", sql)).toEqual([
      "PARTITION BY rows.u ORDER",
      "PARTITION BY rows.u, rows.k0 ORDER",
    ]);
  });

  it("are ordered by a hash of unit, seed and all columns", () => {
    const sql = limited([{ per: "unit", rows: 4 }]);
    const [, order] = /ORDER BY (.*?)\) AS place/.exec(sql)!;
    for (const part of ["rows.u", "rows.c0", "rows.c1", duckdb.seed]) expect(order).toContain(part);
  });

  it("have one key at most", () => {
    const two = [
      { per: "unit-and-key", column: "code", rows: 2 },
      { per: "unit-and-key", column: "cost", rows: 2 },
    ] as const;
    expect(() => limited(two, { keys: new Map([...written, ["cost", "k1"]]) })).toThrow(TypeError);
  });
});
