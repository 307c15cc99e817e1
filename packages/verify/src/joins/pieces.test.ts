import { parseRational } from "@lethe/core";
import { one } from "@lethe/core/numeric";
import type { SemijoinRelation } from "@lethe/query";
import { expect, it } from "vitest";
import { samplePlan } from "../testing/sample-release.ts";
import { piecesLooked } from "./pieces.ts";

const policy = `
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 100, delta: 1e-3 }
tables:
  people: { file: a.duckdb, unit: id, columns: { id: { type: integer }, zip: { type: text } } }
  zips: { file: a.duckdb, public: true, rows_per_key: { zip: 3 }, columns: { zip: { type: text }, code: { type: text } } }
  codes: { file: a.duckdb, public: true, key: code, columns: { code: { type: text } } }
`;

it("the rows that a subquery is asked of are its first piece, and meet all the others at the last place", async () => {
  const text = "SELECT COUNT(*) FROM people WHERE zip IN (SELECT zip FROM zips JOIN codes USING (code))";
  const plan = await samplePlan(text, policy, { epsilon: one, delta: parseRational("1e-6") });
  const { pieces, places } = piecesLooked(plan.from as SemijoinRelation, 1, () => 1);
  expect(pieces.map(({ isOwned }) => isOwned)).toEqual([true, false, false]);
  const { type, left, right } = places.at(-1)!;
  expect([type, [...left], [...right].sort()]).toEqual(["inner", [0], [1, 2]]);
});
