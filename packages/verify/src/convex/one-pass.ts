import { parseRational, toDouble } from "@lethe/core/numeric";
import type { Constants } from "./constants.ts";
import { contractionFindings } from "./contraction.ts";
import type { OnePass } from "./convex.ts";
import { provenFindings } from "./proven.ts";
import { covers, stepError } from "./rounding.ts";

/** More steps than these take too long to go through one by one. */
const mostSteps = 2 ** 26;

/** The noise is a whole number of steps of its deviation times this. */
const noiseStep = 2 ** -30;

/**
 * A unit in a batch of b moves one step by s = η·2L/b. The noise of that step and of the m − 1 after it hides it, so that the last point alone costs
 * s²/(2η²σ²m) in zCDP; what doubles move a step, on both sides, is paid in each.
 */
export function onePassFindings(
  { request, schedule, event, report }: OnePass,
  constants: Constants,
): readonly string[] {
  const { steps, spread, sigma, stepSize } = schedule;
  const { units, problem } = request;
  const { dimension } = problem;
  const { lipschitz, radius } = constants;
  if (!(steps <= mostSteps)) return ["the pass has more steps than can be gone through"];
  const batches = batchesOf(units, steps, spread);
  if (batches === null) return ["the units do not reach for the batches of the pass"];
  const batch = Math.max(batches.first, batches.last);
  const error = stepError({ dimension, radius, lipschitz, stepSize, batch });
  const off = error / (stepSize * sigma) + (Math.sqrt(dimension) * noiseStep) / 2;
  const root = (Math.SQRT2 * lipschitz) / (sigma * Math.sqrt(batches.hidden));
  const rho = (root + Math.sqrt(2 * (steps + 2)) * off) ** 2;
  const stated = event.kind === "zcdp" ? toDouble(parseRational(event.rho), "up") : 0;
  const square = lipschitz ** 2 + dimension * (sigma * (1 + 2 ** -20)) ** 2;
  const points = steps + 1;
  const each = stepSize * square + (4 * radius * error + error ** 2) / stepSize;
  const proven = radius ** 2 / (2 * stepSize * points) + (each / 2) * (1 + harmonic(steps));
  return [
    ...contractionFindings(request, constants, stepSize),
    ...(sigma > 0 && covers(stated, rho) ? [] : ["the pass costs more than the ρ that its event states"]),
    ...provenFindings(report, "population", proven),
  ];
}

/**
 * The sizes of the first and the last batch, which is the largest of a pass that grows, and the least b²m over batches; null where the units are too few.
 * The m-th batch from the end has ⌈√(spread/m)⌉ units, and what is left goes to all evenly, the first before the last.
 */
function batchesOf(
  units: number,
  steps: number,
  spread: number,
): { readonly first: number; readonly last: number; readonly hidden: number } | null {
  const least = (fromEnd: number): number => Math.ceil(Math.sqrt(spread / fromEnd));
  let taken = 0;
  for (let fromEnd = steps; fromEnd >= 1; fromEnd -= 1) taken += least(fromEnd);
  const left = units - taken;
  if (!(steps >= 1 && left >= 0)) return null;
  const [share, more] = [Math.floor(left / steps), left % steps];
  const size = (fromEnd: number): number => least(fromEnd) + share + (steps - fromEnd < more ? 1 : 0);
  let hidden = Number.POSITIVE_INFINITY;
  for (let fromEnd = steps; fromEnd >= 1; fromEnd -= 1)
    hidden = Math.min(hidden, size(fromEnd) ** 2 * fromEnd);
  return { first: size(steps), last: size(1), hidden };
}

/** 1 + 1/2 + … + 1/n, by its asymptotic series from 64 on (Euler). */
function harmonic(n: number): number {
  if (n >= 64) return Math.log(n) + 0.5772156649015329 + 1 / (2 * n) - 1 / (12 * n * n);
  let total = 0;
  for (let i = n; i >= 1; i -= 1) total += 1 / i;
  return total;
}
