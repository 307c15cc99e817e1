import { parseRational } from "@lethe/core";
import { describe, expect, it } from "vitest";
import { parseQuestion } from "../../parse/index.ts";
import { planQuestion } from "../../plan/index.ts";
import { resolveQuestion } from "../index.ts";
import { testPolicy } from "../testing/test-policy.ts";

/* Of counts within a unit nobody stated bounds: bounds of what is as wide as integers can be are learned, unless something narrows it. */

async function gridOf(argument: string, bounds = ""): Promise<readonly string[]> {
  const text = `SELECT SUM(${argument}${bounds}) FROM (SELECT pid, COUNT(*) AS n FROM "Visits" GROUP BY pid) t`;
  const question = resolveQuestion(await parseQuestion(text), testPolicy);
  const { sums } = planQuestion(question, testPolicy, { epsilon: parseRational("1") }, "hash");
  return sums.flatMap((sum) => (sum.kind === "sum" ? [sum.lo, sum.hi] : []));
}
/** The bounds that a plan assumes before it has learned any. */
const learned = ["-1", "1"];

describe("a number that each unit counts", () => {
  it("learns bounds that nobody states, and is as wide as a question states them", async () => {
    expect(await gridOf("n")).toEqual(learned);
    expect(await gridOf("n", ", contribution_bounds_per_row => (0, 7)")).toEqual(["0", "7"]);
  });

  it("may be narrowed to a width of 2^31, and no wider", async () => {
    expect(await gridOf("LEAST(n, 20)")).toEqual(["1", "20"]);
    expect(await gridOf(`LEAST(n, ${2 ** 31 + 1})`)).toEqual(["1", `${2 ** 31 + 1}`]);
    expect(await gridOf(`LEAST(n, ${2 ** 31 + 2})`)).toEqual(learned);
  });
});
