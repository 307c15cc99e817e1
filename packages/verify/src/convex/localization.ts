import type { Constants } from "./constants.ts";
import { contractionFindings } from "./contraction.ts";
import type { Localization } from "./convex.ts";
import { releaseFindings } from "./gaussian-release.ts";
import { provenFindings } from "./proven.ts";
import { covers, roundedSquare, sigmaOf, stepError, unitNorm } from "./rounding.ts";

/** Quotients of weights by a grid are whole numbers that doubles hold, below this. */
const mostOnGrid = 2 ** 50;

/**
 * A unit takes part in one phase. There it moves one step, by 2Lη, and all later steps contract; so the phase's average moves no further, but for the rounding
 * of its steps. That is 2²⁰ steps of the phase's grid, and one release for the whole.
 */
export function localizationFindings(
  { request, phases, noise, event, report }: Localization,
  constants: Constants,
): readonly string[] {
  const { dimension } = request.problem;
  const { lipschitz, radius } = constants;
  const error = (stepSize: number): number =>
    stepError({ ...{ dimension, radius, lipschitz, stepSize }, batch: 1 });
  const isWide = ({ units, stepSize, grid }: (typeof phases)[number]): boolean =>
    covers(grid * unitNorm, 2 * lipschitz * stepSize + units * (2 * error(stepSize) + radius * 2 ** -50)) &&
    radius <= grid * mostOnGrid;
  const read = phases.reduce((sum, { units }) => sum + units, 0);
  let distance = radius;
  let proven = 0;
  for (const { units, stepSize, grid } of phases) {
    const slack = error(stepSize);
    proven += distance ** 2 / (2 * stepSize * units) + (stepSize * lipschitz ** 2) / 2;
    proven += (4 * radius * slack + slack ** 2) / (2 * stepSize);
    const sigma = Math.hypot((sigmaOf(noise) + 0.5) * grid, grid / 2);
    distance = Math.min(2 * radius, Math.sqrt(dimension) * sigma);
  }
  return [
    ...phases.flatMap(({ stepSize }) => contractionFindings(request, constants, stepSize)),
    ...(phases.length > 0 && read === request.units
      ? []
      : ["the phases do not read as many units as are declared"]),
    ...(phases.every(isWide) ? [] : ["a unit moves the average of a phase further than is priced"]),
    ...releaseFindings(event, { noise, l2Squared: roundedSquare(unitNorm, dimension), times: 1 }),
    ...provenFindings(report, "population", proven + lipschitz * distance),
  ];
}
