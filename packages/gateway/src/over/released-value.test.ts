import { mostOverRows, type OverRelation, readPolicy } from "@lethe/query";
import { describe, expect, it } from "vitest";
import { planText } from "../resolved-question.ts";
import { optionsOf } from "../testing/open-house.ts";
import { rowPolicy } from "../testing/visits.ts";
import { releasedValues } from "./released-value.ts";

/** The number of pairs of so many rows with as many. */
function pairs(count: number): OverRelation {
  const rows = (name: string): OverRelation => ({
    kind: "values",
    columns: [{ name, type: "number" }],
    rows: Array.from({ length: count }, (_, at) => [at]),
  });
  return {
    kind: "grouped",
    of: { kind: "joined", type: "inner", left: rows("a"), right: rows("b"), on: null },
    by: [],
    values: [{ name: "n", value: { function: "count", expression: null, distinct: false, where: null } }],
  };
}

describe("the value of a relation over answers", () => {
  it("is NULL where there would be too many rows, so that no release stops the question behind it", async () => {
    const policy = readPolicy(rowPolicy("{ measure: pure, epsilon: 1 }"));
    const plan = await planText("SELECT COUNT(*) FROM visits", optionsOf({}), policy);
    const value = releasedValues(plan, 0.95)([]);
    expect(value({ sql: "few", of: pairs(20) })).toBe(400);
    expect(value({ sql: "many", of: pairs(Math.ceil(Math.sqrt(mostOverRows)) + 1) })).toBeNull();
  });
});
