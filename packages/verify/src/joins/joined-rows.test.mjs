import { one } from "@lethe/core/numeric";
import { parseQuestion, planQuestion, policyHash, readPolicy, resolveQuestion } from "@lethe/query";
import { describe, expect, it } from "vitest";
import { dice, randomPolicy, randomQuestion } from "../../../../testing/src/joins/join-graphs.mjs";
import { rowsJoined } from "./joined-rows.ts";

const graphs = 60;

describe("joined rows of a random join graph", () => {
  it("are as many as its plan states, derived by the verifier's own code", async () => {
    const found = [];
    for (let seed = 5000; found.length < graphs; seed += 1) {
      const random = dice(seed);
      const policy = readPolicy(randomPolicy(random));
      const plan = await planOf(randomQuestion(random), policy).catch((error) => {
        expect(error.code).toMatch(/^query\./);
        return null;
      });
      if (!plan?.joinedRows) continue;
      const { from, where } = plan;
      const derived = rowsJoined(where === null ? from : { kind: "filter", of: from, where });
      found.push([plan.text, derived]);
      expect([plan.text, derived]).toEqual([plan.text, plan.joinedRows]);
    }
    expect(new Set(found.map(([, rows]) => rows)).size).toBeGreaterThan(10);
  });
});

describe("joined rows of public rows on the left of a RIGHT JOIN", () => {
  const policy = readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 10, delta: 1e-5 }
tables:
  visits: { file: d.duckdb, unit: person, columns: { person: { type: integer }, ward: { type: text } } }
  wards: { file: d.duckdb, public: true, rows_per_key: { ward: 3 }, columns: { ward: { type: text }, year: { type: integer } } }
  years: { file: d.duckdb, public: true, rows_per_key: { year: 1 }, max_rows: 5, columns: { year: { type: integer } } }
`);

  it.each(["wards RIGHT JOIN (visits CROSS JOIN years)", "(visits CROSS JOIN years) LEFT JOIN wards"])(
    "are as many as its plan states: %s",
    async (joined) => {
      const text = `SELECT COUNT(*) FROM ${joined} ON wards.ward = visits.ward AND wards.year = years.year`;
      const { from, joinedRows } = await planOf(text, policy);
      expect([rowsJoined(from), joinedRows]).toEqual([15, 15]);
    },
  );
});

async function planOf(text, policy) {
  const question = resolveQuestion(await parseQuestion(text), policy);
  return planQuestion(question, policy, { epsilon: one }, policyHash(policy));
}
