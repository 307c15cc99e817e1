import { expect, it } from "vitest";
import { planOf } from "../testing/learned-plan.ts";
import { learnedBounds } from "./learned-bounds.ts";

it.each([
  [{ mechanism: "discrete-laplace@1", scale: "3" }, "ε 0.666667"],
  [{ mechanism: "rounded-gaussian@1", sigma: "4" }, "ρ 0.09375"],
  [{ mechanism: "discrete-gaussian@1", sigmaSquared: "16" }, "ρ 0.09375"],
  [{ mechanism: "constant@1" }, "none"],
] as const)("the note on learned bounds says the loss of %o", async (noise, loss) => {
  const plan = await planOf();
  const stages = plan.learned!.stages.map((stage) => ({ ...stage, noise, l1: "2", l2Squared: "3" }));
  const notes = [...learnedBounds({ ...plan, learned: { ...plan.learned!, stages } })];
  expect(notes).toHaveLength(2);
  for (const note of notes) expect(note).toContain(`for ${loss} of the price;`);
});
