import { type Adjacency, invalidParameter } from "@lethe/core";
import { gaussianFor, type Noise, type Sensitivity } from "@lethe/core/mechanisms";
import { divide, fromDouble, parseRational, ratio, toDouble, toText } from "@lethe/core/numeric";
import { type Budget, muSquaredOf } from "../problem/budget.ts";
import { gradientStep, unitOnGrid } from "../rows/gradient-sums.ts";
import { type TheoremRequest, theoremSigma } from "./theorem-setting.ts";

/** How far a unit moves the sum of gradients on its grid: 2^20 when it comes or goes, twice that when it is replaced. Errors: parameter.invalid. */
export function descentSensitivity(adjacency: Adjacency, dimension: number): Sensitivity {
  const factor = { "add-or-remove-one": 1n, "replace-one": 2n }[adjacency];
  if (factor === undefined)
    throw invalidParameter("adjacency", adjacency, "add-or-remove-one or replace-one");
  const l2 = factor * BigInt(unitOnGrid);
  // ‖v‖₁ ≤ √d·‖v‖₂.
  return { l1: l2 * BigInt(Math.ceil(Math.sqrt(dimension))), l2Squared: l2 * l2 };
}

/** The noise of every step on the grid of sums: the theorem's σ, rounded up, or the least whose T-fold price is within the budget. */
export function descentNoise(
  kind: "theorem" | "tight",
  run: {
    readonly asked: TheoremRequest;
    readonly budget: Budget;
    readonly steps: number;
    readonly sensitivity: Sensitivity;
  },
): Noise {
  const { asked, budget, steps, sensitivity } = run;
  if (kind === "tight") {
    const each = divide(muSquaredOf(budget), ratio(BigInt(steps)));
    return gaussianFor({ l2Squared: sensitivity.l2Squared, muSquared: each });
  }
  if (kind !== "theorem") throw invalidParameter("noise", kind, "theorem or tight");
  const onGrid = (theoremSigma(asked, steps) * asked.units) / gradientStep(asked.lipschitz);
  // A double counts as the fraction that it is; one part in 2^40 more covers the rounding of the formula.
  return { mechanism: "rounded-gaussian@1", sigma: toText(fromDouble(onGrid * (1 + 2 ** -40))) };
}

/** The noise on the mean gradient a coordinate, rounding to integers included, and how far cutting to the grid moves the mean gradient at most. */
export function noiseOnMean(
  noise: Noise,
  { units, dimension, lipschitz }: TheoremRequest,
): { readonly sigma: number; readonly bias: number } {
  const onGrid = noise.mechanism === "rounded-gaussian@1" ? toDouble(parseRational(noise.sigma), "up") : 0;
  const step = gradientStep(lipschitz);
  return {
    sigma: ((onGrid + 0.5) * step) / units,
    // Each coordinate of each unit loses less than a step; the margin of the step is lost by all.
    bias: step * (Math.sqrt(dimension) + 1),
  };
}
