import { describe, expect, it } from "vitest";
import { dialects } from "../../dialects/index.ts";
import { unitHash } from "./unit-hash.ts";

describe("the keyed hash of a unit's rows", () => {
  it("takes any number of columns, a hundred arguments a call at most", () => {
    const keys = Array.from({ length: 250 }, (_, at) => ({ value: `c${at}`, isDouble: false }));
    const sql = unitHash("u", keys, dialects.postgres!);
    // Seed, unit and each key, with a bar between.
    expect(sql.split("('|' COLLATE \"C\")").length - 1).toBe(keys.length + 1);
    for (const most of argumentsOf(sql)) expect(most).toBeLessThanOrEqual(100);
  });
});

/** How many arguments each pair of parentheses holds. */
function argumentsOf(sql: string): readonly number[] {
  const open: number[] = [];
  const counts: number[] = [];
  for (const character of sql.replaceAll(/'[^']*'/g, "''")) {
    if (character === "(") open.push(1);
    else if (character === ",") open.push(open.pop()! + 1);
    else if (character === ")") counts.push(open.pop()!);
  }
  return counts;
}
