import { expect, it } from "vitest";
import { comparedSplits } from "../bench/allocation.mjs";

it("the planner's error is never above that of the best fixed split by hand", async () => {
  const compared = await comparedSplits(12);
  expect(compared.length).toBeGreaterThanOrEqual(5);
  for (const { name, mean } of compared) {
    // Shares are rounded to a thousandth, half-widths of counts to whole rows.
    expect(mean.planned / mean.byHand, name).toBeLessThanOrEqual(1.005);
    // Several answers for one price are not each as good as alone: the figures are of what they say.
    expect(mean.planned, name).toBeGreaterThan(1);
  }
});
