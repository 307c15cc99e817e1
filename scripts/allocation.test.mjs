import { expect, it } from "vitest";
import { comparedSplits } from "../bench/allocation.mjs";

it("the planner's errors are never above those of the best fixed split by hand, answer by answer", async () => {
  const compared = await comparedSplits(12);
  expect(compared.length).toBeGreaterThanOrEqual(5);
  for (const { name, mean, worst, answers } of compared) {
    // Shares are rounded to a thousandth, scales and prices to their grids: errors to far less than this.
    expect(mean.planned / mean.byHand, name).toBeLessThanOrEqual(1.00001);
    expect(worst.planned / worst.byHand, name).toBeLessThanOrEqual(1.00001);
    for (const { answer, planned, byHand } of answers)
      expect(planned / byHand, `${name}: ${answer}`).toBeLessThanOrEqual(1.00001);
    // Several answers for one price are not each as good as alone: the figures are of what they say.
    expect(mean.planned, name).toBeGreaterThan(1);
  }
});
