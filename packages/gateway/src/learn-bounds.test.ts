import { lossFromJson, type PrivacyLoss, secureEntropy } from "@lethe/core";
import { drawing, seal } from "@lethe/core/mechanisms";
import type { Charge } from "@lethe/ledger";
import { type Plan, readPolicy, stagePlan } from "@lethe/query";
import { describe, expect, it } from "vitest";
import { learnBounds } from "./learn-bounds.ts";
import { planText } from "./resolved-question.ts";
import { optionsOf } from "./testing/open-house.ts";

const policy = readPolicy(`
version: 1
privacy_unit: { name: visit, adjacency: add-or-remove-one }
budget: { measure: pure, epsilon: 1000000 }
tables:
  visits:
    file: visits.csv
    unit: row
    columns:
      free: { type: number }
`);

const planOf = (epsilon: string): Promise<Plan> =>
  planText(
    "SELECT SUM(free, contribution_bounds_per_row => auto) FROM visits",
    optionsOf({ epsilon }),
    policy,
  );
const paying = (loss: PrivacyLoss): Charge =>
  ({ requestId: "r", principal: "owner", loss, sequence: 1, hash: "00" }) as unknown as Charge;
const draws = drawing(secureEntropy());

/** Rows of the stage's sums, none, and of the cells of its tree: so many in each. */
function stageRows(plan: Plan, cells: readonly (readonly [cell: bigint, count: bigint])[]) {
  const sums = stagePlan(plan).sums.map(() => 0n);
  return [
    seal({ groups: [{ key: [], units: 0n, sums }] }),
    seal({ groups: cells.map(([cell, count]) => ({ key: [cell], units: 0n, sums: [count] })) }),
  ];
}

describe("the noisy counts from which bounds follow", () => {
  it("are one for each cell, near its rows where the price is high", async () => {
    const plan = await planOf("1000000");
    const [stage] = plan.learned!.stages;
    const weight = stagePlan(plan).trees![0]!.rowWeight;
    const [counts, ...rest] = learnBounds(
      plan,
      stageRows(plan, [
        [0n, 7n * BigInt(weight)],
        [2n, 40n * BigInt(weight)],
      ]),
      paying(lossFromJson(plan.price)),
      draws,
    );
    expect(rest).toEqual([]);
    // Noise of scale 6 on counts of a million a row: off by half a row with a chance below 1e-1000.
    expect(counts!.slice(0, 4).map((count) => Math.round(count / weight) + 0)).toEqual([7, 0, 40, 0]);
    expect(counts).toHaveLength(stage!.ends.length + 2);
  });

  it("are given for no charge that is smaller than the whole plan's price", async () => {
    const plan = await planOf("1");
    const less = paying({ measure: "pure", epsilon: { num: 999n, den: 1000n } });
    expect(() => learnBounds(plan, stageRows(plan, []), less, draws)).toThrow(
      expect.objectContaining({ code: "internal.invariant", message: "the charge does not cover the plan" }),
    );
    const more = paying({ measure: "pure", epsilon: { num: 2n, den: 1n } });
    expect(learnBounds(plan, stageRows(plan, []), more, draws)).toHaveLength(1);
  });
});
