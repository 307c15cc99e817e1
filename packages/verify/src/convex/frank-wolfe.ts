import {
  compare,
  divide,
  multiply,
  parseRational,
  type Rational,
  ratio,
  toDouble,
} from "@lethe/core/numeric";
import type { Constants } from "./constants.ts";
import type { FrankWolfe } from "./convex.ts";
import { provenFindings } from "./proven.ts";
import { unitNorm } from "./rounding.ts";

/**
 * Each step chooses one of 2d vertices by the exponential mechanism. Their scores are ± the coordinates of a sum that a unit moves by 2²⁰, or by twice
 * that; a difference of two by twice as much. A choice is bounded range of rate times that, hence ε²/8-zCDP.
 */
export function frankWolfeFindings(
  { request, steps, rate, event, report }: FrankWolfe,
  { lipschitz, smoothness, radius }: Constants,
): readonly string[] {
  const { adjacency, units, problem } = request;
  const range = BigInt(unitNorm) * (adjacency === "replace-one" ? 4n : 2n);
  const each = multiply(parseRational(rate), ratio(range));
  const cut = (lipschitz * (1 + 2 ** -30)) / unitNorm;
  const missed = (1 + Math.log(2 * problem.dimension - 1)) / toDouble(parseRational(rate), "down");
  const curvature = (smoothness ?? Number.POSITIVE_INFINITY) * (2 * radius) ** 2;
  const proven = (2 * curvature) / (steps + 2) + radius * ((missed * cut) / units + 4 * cut);
  return [
    ...(problem.features.norm === "max" ? [] : ["rows are not bounded in the norm of the theorem"]),
    ...(isPriced({ event, steps, each }) ? [] : ["the choices cost more than their event states"]),
    ...provenFindings(report, "empirical", proven),
  ];
}

/** Whether an event covers so many choices of this bounded range, by their zCDP or as their list. */
function isPriced(due: {
  readonly event: FrankWolfe["event"];
  readonly steps: number;
  readonly each: Rational;
}): boolean {
  const { event, steps, each } = due;
  if (event.kind === "zcdp") {
    const rho = divide(multiply(ratio(BigInt(steps)), multiply(each, each)), ratio(8n));
    return compare(parseRational(event.rho), rho) >= 0;
  }
  return (
    event.kind === "repeat" &&
    compare(parseRational(event.count), ratio(BigInt(steps))) === 0 &&
    event.event.kind === "bounded-range" &&
    compare(parseRational(event.event.epsilon), each) >= 0
  );
}
