import type { Constants } from "./constants.ts";
import { contractionFindings } from "./contraction.ts";
import type { OutputPerturbation } from "./convex.ts";
import { releaseFindings } from "./gaussian-release.ts";
import { provenFindings } from "./proven.ts";
import { covers, roundedSquare, sigmaOf, stepError, unitNorm } from "./rounding.ts";
import { solverFindings } from "./solver.ts";

/** Minima of neighbours lie within 2L/(λn), and within the ball; the solver stops within its accuracy of each. That is 2²⁰ steps of the grid. */
export function outputFindings(
  { request, ridge, solver, grid, noise, event, report }: OutputPerturbation,
  constants: Constants,
): readonly string[] {
  const { dimension } = request.problem;
  const { units } = request;
  const { lipschitz, smoothness, radius } = constants;
  const whole = (smoothness ?? Number.POSITIVE_INFINITY) + ridge;
  const stepSize = 2 / (whole + ridge);
  const error = stepError({
    ...{ dimension, radius, stepSize, batch: units },
    lipschitz: lipschitz + ridge * radius,
  });
  const apart = Math.min(2 * radius, (2 * lipschitz) / (ridge * units));
  const sigma = Math.hypot((sigmaOf(noise) + 0.5) * grid, grid / 2);
  return [
    // The step of the loss alone would contract too: the ridge only shortens it.
    ...contractionFindings(request, constants, stepSize),
    ...solverFindings(solver, { convexity: ridge, smoothness: whole, start: radius, error }),
    ...(covers(grid * unitNorm, apart + 2 * solver.accuracy)
      ? []
      : ["a unit moves the solution further than is priced"]),
    ...releaseFindings(event, { noise, l2Squared: roundedSquare(unitNorm, dimension), times: 1 }),
    ...provenFindings(
      report,
      "empirical",
      (ridge * radius ** 2) / 2 + lipschitz * (solver.accuracy + Math.sqrt(dimension) * sigma),
    ),
  ];
}
