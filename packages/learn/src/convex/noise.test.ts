import { SeededSource } from "@lethe/core/tape";
import { expect, it } from "vitest";
import {
  type ConvexProblem,
  planDescent,
  planLocalization,
  planObjectivePerturbation,
  planOnePass,
  planOutputPerturbation,
  runDescent,
  runLocalization,
  runObjectivePerturbation,
  runOnePass,
  runOutputPerturbation,
} from "./index.ts";

/*
 * Without any rows, weights are noise alone, and its scale must be that of the plan. 15 runs of 200 weights give a variance that is right to 2.6 %. It may be
 * off by 5.5 deviations, 14 %: a false alarm has probability 4e-8 each, and a scale that is off by 10 % would be seen, for its variance is off by 21 or 19 %.
 */
const dimension = 200;
const runs = 15;
const nobody = { features: [], labels: [] };
const problem: ConvexProblem = {
  ...{ loss: { name: "linear" }, dimension, features: { norm: "l2", bound: 1 }, labels: 1, radius: 1 },
};
const request = { problem, units: 1000, adjacency: "replace-one", epsilon: 20, delta: 1e-6 } as const;

const descent = planDescent({ ...request, noise: "tight", steps: 2 });
const localization = planLocalization(request);
const onePass = planOnePass(request);
const output = planOutputPerturbation(request);
const objective = planObjectivePerturbation(request);
const sigmaOf = (plan: { readonly noise: { readonly mechanism: string } }): number =>
  "sigma" in plan.noise ? Number(plan.noise.sigma) || rationalNumber(String(plan.noise.sigma)) : Number.NaN;

function rationalNumber(text: string): number {
  const [num = "", den = "1"] = text.split("/");
  return Number(num) / Number(den);
}

it.each<readonly [string, (bits: SeededSource) => Float64Array, number]>([
  // The average of the start, 0, and the point after one step.
  [
    "noisy descent",
    (bits) => runDescent(descent, nobody, bits),
    (descent.stepSize * descent.report.sigma) / 2,
  ],
  [
    "localization",
    (bits) => runLocalization(localization, nobody, bits),
    Math.hypot(...localization.phases.map(({ grid }) => grid * sigmaOf(localization))),
  ],
  [
    "one pass",
    (bits) => runOnePass(onePass, nobody, bits),
    Math.sqrt(onePass.schedule.steps) * onePass.schedule.stepSize * onePass.schedule.sigma,
  ],
  [
    "output perturbation",
    (bits) => runOutputPerturbation(output, nobody, bits),
    output.grid * sigmaOf(output),
  ],
  [
    "objective perturbation",
    (bits) => runObjectivePerturbation(objective, nobody, bits),
    Math.hypot(
      objective.objective.sigma / objective.objective.convexity,
      objective.grid * sigmaOf(objective),
    ),
  ],
])("the noise of %s has the scale of its plan", (_, run, sigma) => {
  // No projection cuts it.
  expect(sigma * Math.sqrt(dimension)).toBeLessThan(0.75);
  let square = 0;
  for (let seed = 1; seed <= runs; seed += 1)
    square += run(new SeededSource(seed)).reduce((sum, x) => sum + x * x, 0);
  const variance = square / (runs * dimension);
  expect(Math.abs(variance / sigma ** 2 - 1)).toBeLessThan(0.142);
});
