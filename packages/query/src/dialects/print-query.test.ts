import { describe, expect, it } from "vitest";
import {
  beside,
  join,
  list,
  named,
  places,
  rowsOf,
  select,
  table,
  unionAll,
  withTables,
} from "../sql/query.ts";
import { printQuery, type QueryWords } from "./print-query.ts";

const words: QueryWords = { as: "AS", fence: " FENCE", beside: (value, name) => ` BESIDE ${value} ${name}` };
const print = (query: Parameters<typeof printQuery>[0]): string => printQuery(query, words);
const all = select(["a.x"], table("t", "a"));

describe("a statement", () => {
  it("has its clauses in their order", () => {
    const query = select(["a.x", named("n", "y")], table("t", "a"), {
      joins: [join(table("u"), ["p", "q"]), beside("v", "b"), join(rowsOf(all, "c"), ["r"], "left")],
      where: ["f", "g"],
      groupBy: [...places(2), "a.z"],
      havingAny: ["h", "i"],
      once: true,
    });
    expect(print(query)).toBe(
      "SELECT a.x, n AS y FROM t AS a JOIN u ON p AND q BESIDE v b LEFT JOIN (SELECT a.x FROM t AS a) AS c ON r " +
        "WHERE f AND g GROUP BY 1, 2, a.z HAVING h OR i FENCE",
    );
  });

  it("selects something also where nothing is asked for", () => {
    expect(print(select([], table("t")))).toBe("SELECT 1 AS nothing FROM t");
  });

  it("reads rows that are written out", () => {
    const rows = list(
      [
        ["1", "'a'"],
        ["2", "'b'"],
      ],
      "l",
      ["i", "k"],
    );
    expect(print(select(["l.i"], rows))).toBe("SELECT l.i FROM (VALUES (1, 'a'), (2, 'b')) AS l(i, k)");
  });

  it("is one of several parts, or the only part itself", () => {
    expect(print(unionAll([all, all]))).toBe("SELECT a.x FROM t AS a UNION ALL SELECT a.x FROM t AS a");
    expect(unionAll([all])).toBe(all);
  });

  it("stands behind the tables that it reads, or alone", () => {
    const tables = [
      { name: "m", query: all },
      { name: "n", query: all },
    ];
    expect(print(withTables(tables, select(["m.x"], table("m"))))).toBe(
      "WITH m AS (SELECT a.x FROM t AS a), n AS (SELECT a.x FROM t AS a) SELECT m.x FROM m",
    );
    expect(withTables([], all)).toBe(all);
  });

  it("cannot be changed", () => {
    const nodes = [all, all.from, named("a", "b"), join(table("t"), []), beside("v", "b")];
    for (const node of [...nodes, unionAll([all, all]), withTables([{ name: "m", query: all }], all)])
      expect(Object.isFrozen(node)).toBe(true);
  });
});
