import { parseRational } from "@lethe/core";
import { one } from "@lethe/core/numeric";
import { readPolicy } from "@lethe/query";
import { describe, expect, it } from "vitest";
import { samplePlan } from "../testing/sample-release.ts";
import { joinedRowsHold, limitsAreThePolicys } from "./joined-rows.ts";

const policyText = `
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 100, delta: 1e-3 }
tables:
  people: { file: a.duckdb, unit: id, key: id, columns: { id: { type: integer }, zip: { type: text } } }
  visits: { file: a.duckdb, unit: { through: person_id, references: people.id }, key: visit_id, max_rows_before_join: 4, columns: {
    visit_id: { type: text }, person_id: { type: integer }, code: { type: text } } }
  codes: { file: a.duckdb, public: true, key: code, columns: { code: { type: text } } }
  zips: { file: a.duckdb, public: true, rows_per_key: { zip: 3 }, columns: { zip: { type: text } } }
  days: { file: a.duckdb, public: true, max_rows: 7, columns: { weekday: { type: text } } }
`;

describe("the limits of a genuine plan's tables are the policy's, and so are its joined rows", () => {
  const policy = readPolicy(policyText);

  it.each([
    ["a table with a key, read alone", "SELECT COUNT(*) FROM visits"],
    ["a table of units with a key, read alone", "SELECT COUNT(*) FROM people"],
    ["a public table, once for each key", "SELECT COUNT(*) FROM visits JOIN codes USING (code)"],
    ["a public table, some rows for each key", "SELECT COUNT(*) FROM people JOIN zips USING (zip)"],
    ["a whole public table", "SELECT COUNT(*) FROM people CROSS JOIN days"],
    ["two tables of units", "SELECT COUNT(*) FROM people JOIN visits ON id = person_id"],
    [
      "three tables, on a side that may be missing",
      "SELECT COUNT(*) FROM people LEFT JOIN visits ON id = person_id LEFT JOIN codes USING (code)",
    ],
  ])("%s", async (_, text) => {
    const plan = await samplePlan(text, policyText, { epsilon: one, delta: parseRational("1e-6") });
    expect(limitsAreThePolicys(plan, policy)).toMatchObject({ outcome: "passed" });
    expect(joinedRowsHold(plan)).toMatchObject({ outcome: "passed" });
  });
});
