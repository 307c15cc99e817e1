import { expect, test } from "vitest";
import { hrefOf, routeOf } from "./route.ts";

test.each([
  ["", "", {}],
  ["#", "", {}],
  ["#/", "", {}],
  ["#/ask", "ask", {}],
  ["#ask/", "ask", {}],
  ["#/history/q%2017", "history/q 17", {}],
  ["#/ask?sql=SELECT+1%3F%20%26&x=%2B", "ask", { sql: "SELECT 1? &", x: "+" }],
  ["#/%E0%A4%A", "%E0%A4%A", {}],
])("%s is the place %s", (hash, path, query) => {
  expect(routeOf(hash)).toEqual({ path, query });
});

test("a link leads where it says", () => {
  const sql = "SELECT 'a?b#c' AS x, 1 + 1 -- %41\nFROM t";
  expect(routeOf(hrefOf("ask", { sql }))).toEqual({ path: "ask", query: { sql } });
  expect(routeOf(hrefOf("history/a b?c"))).toEqual({ path: "history/a b?c", query: {} });
});
