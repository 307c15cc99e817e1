import { parseRational } from "@lethe/core";
import { describe, expect, it } from "vitest";
import { dialects } from "../dialects/index.ts";
import { parseQuestion } from "../parse/index.ts";
import { planQuestion } from "../plan/index.ts";
import { resolveQuestion } from "../resolve/index.ts";
import { testPolicy } from "../resolve/testing/test-policy.ts";
import { compilePlan } from "./index.ts";

/* What the rows of one unit are kept apart by, read in the text of every dialect: other suites see it in what engines answer, late. */

async function compiled(text: string): Promise<readonly string[]> {
  const question = resolveQuestion(await parseQuestion(text), testPolicy);
  const plan = planQuestion(question, testPolicy, { epsilon: parseRational("1") }, "hash");
  return Object.values(dialects).map(
    (dialect) => compilePlan(plan, () => ({ relation: ["visits"], layout: "raw" }), dialect).sql,
  );
}

/** The columns behind a clause, up to a bracket or the next clause. */
function listed(sql: string, clause: string, among: RegExp): readonly (readonly string[])[] {
  return [...sql.matchAll(new RegExp(`${clause} (${among.source}(?:, ${among.source})*)`, "g"))].map(
    ([, list]) => list!.split(", "),
  );
}

describe("windows within a unit", () => {
  const windowed = (over: string): string =>
    `SELECT SUM(LEAST(n, 20)) FROM (SELECT pid, ROW_NUMBER() OVER (${over}) AS n FROM "Visits") t`;

  it.each([
    ["PARTITION BY pid", 0],
    ['PARTITION BY pid, "Ward"', 1],
    ['PARTITION BY pid, "Ward", cost > 5', 2],
  ] as const)("%s keeps apart what it says, and units always", async (over, others) => {
    for (const sql of await compiled(windowed(`${over} ORDER BY cost`))) {
      const partitions = listed(sql, "PARTITION BY", /own\.\w+/);
      expect(partitions.length).toBeGreaterThan(0);
      for (const partition of partitions) {
        expect(partition[0]).toBe("own.u");
        expect(partition.length).toBe(1 + others);
        expect(new Set(partition).size).toBe(partition.length);
      }
    }
  });

  it("stand in the order that they say, ties in the order of all columns", async () => {
    for (const sql of await compiled(windowed("PARTITION BY pid ORDER BY cost DESC"))) {
      expect(sql).toMatch(/ORDER BY own\.\w+ DESC NULLS FIRST, own\.place/);
      expect(sql).toMatch(/row_number\(\) OVER \(PARTITION BY value\.u ORDER BY value\.\w+ NULLS LAST/);
    }
  });
});

describe("groups within a unit", () => {
  it.each([
    ["pid", 0],
    ['pid, "Ward"', 1],
    ['pid, "Ward", FLOOR(cost / 10)', 2],
  ] as const)("GROUP BY %s groups by the unit and every other key", async (keys, others) => {
    const text = `SELECT SUM(LEAST(n, 20)) FROM (SELECT ${keys}, COUNT(*) AS n FROM "Visits" GROUP BY ${keys}) t`;
    for (const sql of await compiled(text)) {
      const groupings = listed(sql, "GROUP BY", /own\.\w+/);
      expect(groupings.length).toBe(1);
      const [grouping] = groupings;
      expect(grouping![0]).toBe("own.u");
      expect(grouping!.length).toBe(1 + others);
      expect(new Set(grouping).size).toBe(grouping!.length);
    }
  });
});
