import { one } from "@lethe/core/numeric";
import { parseQuestion, planQuestion, policyHash, readPolicy, resolveQuestion } from "@lethe/query";
import { expect, it } from "vitest";
import { rowsJoined } from "./joined-rows.ts";

const policy = readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 10, delta: 1e-5 }
tables:
  visits: { file: d.duckdb, unit: person, columns: {
    person: { type: integer }, va: { type: integer, bounds: [0, 3] }, vw: { type: text } } }
  towns: { file: d.duckdb, public: true, rows_per_key: { tw: 3 }, columns: { tw: { type: text } } }
  shops: { file: d.duckdb, public: true, max_rows: 5, rows_per_key: { sa: 3 }, columns: {
    sw: { type: text }, sa: { type: integer, bounds: [0, 3] } } }
  roads: { file: d.duckdb, public: true, rows_per_key: { rw: 2 }, columns: {
    rw: { type: text }, ra: { type: integer, bounds: [0, 3] } } }
`);

/** A question whose outer join meets three towns with each row of an inner one. */
const around = (inner: string, keys: string): string =>
  `SELECT COUNT(*) FROM (SELECT ${keys}, MIN(vw) AS w FROM ${inner} GROUP BY ${keys}) AS s JOIN towns AS outside ON s.w = outside.tw`;
const inTowns = "visits JOIN towns ON vw = tw";
const inShops = "visits JOIN shops ON vw = sw JOIN roads ON sw = rw AND sa = ra";

it.each([
  ["one row of each unit stands in three", around(inTowns, "person"), 3],
  ["each of three groups of a unit stands in three", around(inTowns, "person, va"), 9],
  // Five shops with two roads each as it is written; by conditions that follow, two roads with three shops each.
  ["conditions that only follow do not make written joins smaller", around(inShops, "person, va"), 30],
])("rows around joined rows: %s", async (_, text, rows) => {
  const question = resolveQuestion(await parseQuestion(text), policy);
  const plan = planQuestion(question, policy, { epsilon: one }, policyHash(policy));
  expect([rowsJoined(plan.from), plan.joinedRows]).toEqual([rows, rows]);
});
