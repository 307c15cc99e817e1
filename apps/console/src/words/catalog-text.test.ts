import { expect, test } from "vitest";
import { asksCatalog } from "./catalog-text.ts";

test("texts that ask for tables and columns alone have no price", () => {
  for (const sql of ["SHOW TABLES", " show\ttables ;\n", "DESCRIBE people", 'describe public."my table"'])
    expect(asksCatalog(sql)).toBe(true);
});

test("whatever else stands in a text is priced", () => {
  for (const sql of [
    "",
    "SHOW",
    "SELECT 1",
    "SHOW TABLES; SELECT COUNT(*) FROM people",
    "DESCRIBE people WHERE x",
  ])
    expect(asksCatalog(sql)).toBe(false);
});
