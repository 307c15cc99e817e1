import { expect, it } from "vitest";
import { select, table } from "../sql/query.ts";
import { trino } from "./index.ts";
import { printStatement } from "./print-statement.ts";

it("a statement of more characters than an engine takes is refused before anything is charged", () => {
  const query = select(["a.x"], table("t", "a"));
  const sql = "SELECT a.x FROM t AS a";
  expect(printStatement(query, { ...trino, longestStatement: sql.length })).toBe(sql);
  expect(printStatement(query, { ...trino, longestStatement: null })).toBe(sql);
  expect(() => printStatement(query, { ...trino, longestStatement: sql.length - 1 })).toThrow(
    expect.objectContaining({ code: "query.too-large" }),
  );
  // The server takes a million characters, among them the seed wherever it is named.
  expect(trino.longestStatement).toBeLessThan(1_000_000);
});
