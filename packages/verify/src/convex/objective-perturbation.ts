import type { Event } from "@lethe/core";
import { gaussianDelta } from "@lethe/core/accounting";
import { parseRational, toDouble } from "@lethe/core/numeric";
import type { Constants } from "./constants.ts";
import { contractionFindings } from "./contraction.ts";
import type { ObjectivePerturbation } from "./convex.ts";
import { releaseFindings } from "./gaussian-release.ts";
import { provenFindings } from "./proven.ts";
import { covers, roundedSquare, sigmaOf, stepError } from "./rounding.ts";
import { solverFindings } from "./solver.ts";

/** How many steps of its grid the second release moves. */
const movedOnGrid = 2 ** 8;

/**
 * The exact minimum of Σf + Λ|w|²/2 + ⟨b, w⟩ costs ε where four Gaussians of Δ/σ = 2L/σ at ε − ln(1 + β/Λ), together with a noise so long that the solver
 * stops early, cost its δ; a second noise hides how far the solver is off.
 */
export function objectiveFindings(
  { request, objective, solver, grid, noise, event, report }: ObjectivePerturbation,
  constants: Constants,
): readonly string[] {
  const { units, problem } = request;
  const { dimension, loss, features } = problem;
  const { radius } = constants;
  const { sigma, convexity } = objective;
  if (loss.name !== "logistic" && loss.name !== "linear")
    return ["the loss is not Lipschitz for all weights, or its second derivative jumps"];
  // Both losses have a slope of at most 1 everywhere.
  const lipschitz = features.bound;
  const smoothness = constants.smoothness ?? Number.POSITIVE_INFINITY;
  const whole = units * smoothness + convexity;
  const { distance } = solver;
  const stepSize = 2 / (whole + convexity);
  const error = stepError({
    ...{ dimension, stepSize, batch: units, radius: 2 * distance },
    lipschitz: 3 * distance * convexity,
  });
  // The solver starts within `distance` of the minimum unless the noise is longer than this many deviations beyond √d.
  const beyond = (distance * convexity - (units + 2) * lipschitz) / sigma - Math.sqrt(dimension);
  const tail = beyond > 0 ? Math.exp(-(beyond * beyond) / 2) : 1;
  const rounding = (sigma * Math.sqrt(dimension) * 2 ** -31) / convexity;
  const [first, second] = event.kind === "compose" && event.events.length === 2 ? event.events : [];
  const accuracy = solver.accuracy + rounding;
  const after = Math.hypot((sigmaOf(noise) + 0.5) * grid, grid / 2);
  const proven =
    ((convexity * radius ** 2) / 2 + (dimension * sigma ** 2) / convexity) / units +
    lipschitz * (accuracy + Math.sqrt(dimension) * after);
  return [
    // Steps of the perturbed objective: 2/(M + Λ) ≤ 2/M.
    ...contractionFindings(request, constants, stepSize * units),
    ...(isCovered(first, { mu: (2 * lipschitz) / sigma, told: Math.log1p(smoothness / convexity), tail })
      ? []
      : ["the minimum of the perturbed objective costs more than its event states"]),
    ...solverFindings(solver, { convexity, smoothness: whole, start: distance, error }),
    ...(covers(grid * movedOnGrid, 2 * accuracy)
      ? []
      : ["the second noise does not hide how far the solver is off"]),
    ...releaseFindings(second ?? { kind: "constant", version: 1 }, {
      ...{ noise, l2Squared: roundedSquare(movedOnGrid, dimension), times: 1 },
    }),
    ...provenFindings(report, "empirical", proven),
  ];
}

function isCovered(
  event: Event | undefined,
  { mu, told, tail }: { readonly mu: number; readonly told: number; readonly tail: number },
): boolean {
  if (event?.kind !== "approximate") return false;
  const left = toDouble(parseRational(event.epsilon), "up") - told;
  const delta = toDouble(parseRational(event.delta), "up");
  return covers(left, (mu * mu) / 2) && delta >= (4 * gaussianDelta(mu, left).lower + tail) * (1 - 1e-6);
}
