import { parseRational } from "@lethe/core";
import { describe, expect, test } from "vitest";
import { duckdb } from "../../dialects/index.ts";
import { parseQuestion } from "../../parse/index.ts";
import { planQuestion } from "../../plan/index.ts";
import { readPolicy } from "../../policy/index.ts";
import { resolveQuestion } from "../../resolve/index.ts";
import { compilePlan } from "../compile-plan.ts";
import { onGrid } from "./on-grid.ts";

const grid = { exponent: 0, lo: "1000", hi: "1009" };

describe("what is said never to be NULL is not", () => {
  test("where it is put on a grid", () => {
    expect(onGrid({ nullable: true }, "x", grid, duckdb)).toBe(duckdb.toGrid("x", grid));
    expect(onGrid({ nullable: false }, "x", grid, duckdb)).toBe(
      `coalesce(${duckdb.toGrid("x", grid)}, 1000)`,
    );
    const below = { exponent: 0, lo: "-5", hi: "-2" };
    expect(onGrid({ nullable: false }, "x", below, duckdb)).toMatch(/, \(-2\)\)$/);
  });

  test("also in a column of a union, which is read as it stands there", async () => {
    const policy = readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: pure, epsilon: 1 }
tables:
  people: { file: a.duckdb, unit: id, columns: { id: { type: text }, age: { type: integer, bounds: [0, 9], default: 0 } } }
`);
    const text =
      "SELECT AVG(far) FROM (SELECT age + 1000 AS far FROM people UNION ALL SELECT 1005 FROM people) u";
    const question = resolveQuestion(await parseQuestion(text), policy);
    const plan = planQuestion(question, policy, { epsilon: parseRational("1") }, "hash");
    const { sql } = compilePlan(plan, () => ({ relation: ["people"], layout: "snapshot" }), duckdb);
    expect(sql.split("UNION ALL").map((part) => part.split(", 1000)").length)).toEqual([2, 2]);
  });
});
