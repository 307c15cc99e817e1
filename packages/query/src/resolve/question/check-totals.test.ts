import { describe, expect, it } from "vitest";
import { parseQuestion } from "../../parse/index.ts";
import { refusalOf } from "../../testing/refusal-of.ts";
import type { ResolvedQuery } from "../names/resolved-query.ts";
import { testPolicy } from "../testing/test-policy.ts";
import { resolveQuestion } from "./resolve-question.ts";

const resolve = async (text: string): Promise<ResolvedQuery> =>
  resolveQuestion(await parseQuestion(text), testPolicy);
const overWards = (aggregate: string, sets: string): string =>
  `SELECT ${aggregate} FROM visits GROUP BY GROUPING SETS (${sets})`;

describe("totals are made of what adds up over groups", () => {
  it.each([
    "COUNT(*)",
    "COUNT(cost)",
    "SUM(cost)",
    "AVG(cost)",
    "VARIANCE(cost)",
    "STDDEV(cost)",
    "COVAR_POP(cost, cost + 1)",
    "CORR(cost, cost * cost)",
  ])("%s does", async (aggregate) => {
    const { groupings } = await resolve(overWards(aggregate, "(ward), ()"));
    expect(groupings).toEqual([['"Ward"'], []]);
  });

  it.each([
    ["COUNT(DISTINCT pid)", "counts of distinct units"],
    ["COUNT(DISTINCT pid) FILTER (WHERE cost > 3)", "counts of distinct units"],
    ["COUNT(DISTINCT cost)", "counts of distinct values"],
    ["MEDIAN(cost)", "quantiles"],
    ["MAX(cost)", "quantiles"],
  ])("%s does not, and still has groups", async (aggregate, name) => {
    for (const sets of ["(ward), ()", "(ward), (cost > 3)"]) {
      const refused = await refusalOf(resolve(overWards(`COUNT(*), ${aggregate}`, sets)));
      expect(refused.code).toBe("query.unsupported");
      expect(refused.message).toBe(`${name} do not add up over groups, so they have no totals`);
    }
    // The same grouping twice is no total.
    await expect(resolve(overWards(aggregate, "(ward), (ward)"))).resolves.toBeDefined();
    await expect(resolve(overWards(aggregate, "(ward, cost > 3)"))).resolves.toBeDefined();
  });
});

describe("where a key is data, the groups by all keys are asked too", () => {
  it.each(["ROLLUP (cost, ward)", "CUBE (ward, cost)", "GROUPING SETS ((ward), (cost, ward))"])(
    "%s asks for them",
    async (by) => {
      await expect(resolve(`SELECT COUNT(*) FROM visits GROUP BY ${by}`)).resolves.toBeDefined();
    },
  );

  it("and a question without them is told which", async () => {
    const { message, fix } = await refusalOf(resolve(overWards("COUNT(*)", "(cost), (ward)")));
    expect(message).toContain('by all keys together, (cost, "Ward")');
    expect(fix).toMatch(/^add the grouping \(cost, "Ward"\), or ask each grouping by itself/);
  });
});
