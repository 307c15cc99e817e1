import type { Constants } from "./constants.ts";
import type { Descent } from "./convex.ts";
import { releaseFindings } from "./gaussian-release.ts";
import { provenFindings } from "./proven.ts";
import { near, sigmaOf, unitNorm } from "./rounding.ts";

/** Every step releases the sum of the units' gradients: one that comes moves it by 2²⁰, another in a unit's place by twice that. */
export function descentFindings(
  { request, steps, stepSize, noise, event, report }: Descent,
  { lipschitz, radius }: Constants,
): readonly string[] {
  const { adjacency, units, problem } = request;
  const moved = BigInt(unitNorm) * (adjacency === "replace-one" ? 2n : 1n);
  const cut = (lipschitz * (1 + 2 ** -30)) / unitNorm;
  const sigma = ((sigmaOf(noise) + 0.5) * cut) / units;
  // A step of so much noise; what cutting gradients to the grid moves their mean; what averaging so many of them proves.
  const square = lipschitz ** 2 + problem.dimension * sigma ** 2;
  const bias = cut * (Math.sqrt(problem.dimension) + 1);
  const proven = radius ** 2 / (2 * stepSize * steps) + (stepSize * square) / 2 + 2 * radius * bias;
  return [
    ...releaseFindings(event, { noise, l2Squared: moved * moved, times: steps }),
    ...(near(report.sigma, sigma) ? [] : ["the noise of the mean gradient is not what the report says"]),
    ...provenFindings(report, "empirical", proven),
  ];
}
