import { gaussianFromEpsilon } from "../../conversions/gaussian/gaussian-to-approximate.ts";
import { invalidParameter, LetheError } from "../../errors/lethe-error.ts";
import type { Event } from "../../events/event.ts";
import type { RepresentationId } from "../../losses/loss-algebra.ts";
import type { Adjacency } from "../../losses/measures/adjacency.ts";
import type { Bounds } from "../../losses/measures/privacy-curve.ts";
import { divideUp, nextUp, sqrtDown } from "../../numeric/directed.ts";
import { fromDouble, toDouble } from "../../numeric/rational.ts";
import type { AccountFor, AccountOptions } from "../account-with.ts";
import { cross } from "./crossing.ts";

export interface Target {
  /** The ε that the whole may cost at most, at `delta`. The certified upper end is compared with it. */
  readonly epsilon: number;
  readonly delta: number;
  readonly adjacency?: Adjacency;
  readonly representations?: readonly RepresentationId[];
  /** The width of the final ε interval; 5·10⁻⁵·ε unless stated, for steps 2·10⁻⁵·ε. */
  readonly accuracy?: number;
  /** The value that the search begins with; only time depends on it. */
  readonly start?: number;
  /** The relative distance from the certified limit that is close enough; 10⁻⁶ unless stated. */
  readonly tolerance?: number;
}

export interface NumberRequest extends Target {
  /** The event at a number > 0, monotone in it. */
  readonly eventAt: (x: number) => Event;
}

export interface StepsRequest extends Target {
  readonly eventAt: (steps: bigint) => Event;
}

export interface Calibration<T> {
  readonly value: T;
  /** The ε of the whole at δ; its upper end is at most the target. */
  readonly epsilon: Bounds;
}

export interface Calibrators {
  /** The smallest noise whose certified ε is within the target; the event must cost less with more noise. */
  smallestNoise(request: NumberRequest): Calibration<number>;
  /** The largest sample rate in (0, 1]; the event must cost more at a higher rate. */
  largestSampleRate(request: NumberRequest): Calibration<number>;
  /** The largest parameter, such as a mechanism's own ε, of an event that costs more with a larger one. */
  largestEpsilon(request: NumberRequest): Calibration<number>;
  /** The largest number of steps, at most 2^53. Exact: one step more is not certified. */
  largestSteps(request: StepsRequest): Calibration<bigint>;
}

function check({ epsilon, delta, tolerance = 1e-6 }: Target): void {
  if (!(epsilon > 0 && epsilon < Number.POSITIVE_INFINITY))
    throw invalidParameter("epsilon", epsilon, "> 0, finite");
  if (!(delta >= 0 && delta < 1)) throw invalidParameter("delta", delta, "at least 0 and below 1");
  if (!(tolerance >= 1e-12 && tolerance <= 0.1))
    throw invalidParameter("tolerance", tolerance, "from 1e-12 to 0.1");
}

/** Evaluations, remembered: a final answer quotes the very interval that certified it. */
function evaluator(account: AccountFor, request: Target, eventAt: (x: number) => Event, accuracy: number) {
  const { adjacency, representations, delta, epsilon } = request;
  const options: AccountOptions = {
    ...(adjacency ? { adjacency } : {}),
    ...(representations ? { representations } : {}),
    accuracy,
  };
  const known = new Map<number, Bounds>();
  const bounds = (x: number): Bounds => {
    const found = known.get(x) ?? account(eventAt(x), options).epsilon(delta);
    known.set(x, found);
    return found;
  };
  return { bounds, excess: (x: number): number => Math.log(bounds(x).upper / epsilon) };
}

interface Range {
  readonly grows: boolean;
  readonly least: number;
  readonly most: number;
  readonly start: number;
  readonly round?: (x: number) => number;
}

/** An accuracy that an account takes. */
const width = (x: number): number => Math.min(1, Math.max(1e-12, x));

function solve(
  account: AccountFor,
  request: Target,
  eventAt: (x: number) => Event,
  range: Range,
): Calibration<number> {
  check(request);
  const { epsilon, tolerance = 1e-6, accuracy = width((range.round ? 2e-5 : 5e-5) * epsilon) } = request;
  const start = request.start ?? range.start;
  if (!(start > 0 && start < Number.POSITIVE_INFINITY)) throw invalidParameter("start", start, "> 0, finite");
  // Coarsely to find the place, then certified.
  const coarse = evaluator(account, request, eventAt, Math.max(accuracy, width(2e-3 * epsilon)));
  const near = cross({ ...range, start, tolerance: Math.max(tolerance, 4e-3), excess: coarse.excess });
  const fine = evaluator(account, request, eventAt, accuracy);
  const { within } = cross({
    ...range,
    start: near.within ?? start,
    slope: near.slope,
    tolerance,
    excess: fine.excess,
  });
  if (within === null) {
    throw new LetheError(
      "parameter.invalid",
      `no value in the range of the search certifies ε ≤ ${epsilon} at δ = ${request.delta}`,
      {
        fix: "allow a larger ε or δ, or take out parts whose loss does not depend on what is searched",
        fields: { name: "epsilon", domain: "reachable" },
      },
    );
  }
  return { value: within, epsilon: fine.bounds(within) };
}

/** The calibrators of an account. Errors of each: parameter.invalid, also where no value is certified; account.unprovable. */
export function calibrateWith(account: AccountFor): Calibrators {
  return {
    smallestNoise: (request) =>
      solve(account, request, request.eventAt, { grows: false, least: 2 ** -40, most: 2 ** 60, start: 1 }),
    largestSampleRate: (request) =>
      solve(account, request, request.eventAt, { grows: true, least: 2 ** -60, most: 1, start: 0.01 }),
    largestEpsilon: (request) =>
      solve(account, request, request.eventAt, {
        grows: true,
        least: 2 ** -60,
        most: 2 ** 40,
        start: request.epsilon,
      }),
    largestSteps(request) {
      const { value, epsilon } = solve(account, request, (steps) => request.eventAt(BigInt(steps)), {
        grows: true,
        least: 1,
        most: 2 ** 53,
        start: 1000,
        round: Math.round,
      });
      return { value: BigInt(value), epsilon };
    },
  };
}

/**
 * The σ of the least Gaussian noise on real numbers that is (ε, δ)-DP at this ℓ2 sensitivity, rounded up by a relative 1e-12 at most.
 * Source: Balle & Wang 2018 (arXiv 1805.06530), Thm 8, inverted in exact arithmetic.
 * Direction: upper
 * Errors: parameter.invalid unless ε > 0, 2^-256 ≤ δ < 1, sensitivity > 0.
 * @example smallestGaussianSigma({ epsilon: 1, delta: 1e-5 }) // => 3.73063163482
 */
export function smallestGaussianSigma(request: {
  readonly epsilon: number;
  readonly delta: number;
  readonly sensitivity?: number;
}): number {
  check(request);
  const { epsilon, delta, sensitivity = 1 } = request;
  if (!(sensitivity > 0 && sensitivity < Number.POSITIVE_INFINITY)) {
    throw invalidParameter("sensitivity", sensitivity, "> 0, finite");
  }
  const muSquared = gaussianFromEpsilon(fromDouble(epsilon), fromDouble(delta));
  return nextUp(divideUp(sensitivity, sqrtDown(toDouble(muSquared, "down"))));
}
