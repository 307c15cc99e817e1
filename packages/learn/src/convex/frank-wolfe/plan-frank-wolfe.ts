import { type Adjacency, account, type Event, invalidParameter } from "@lethe/core";
import { epsilonFromRho } from "@lethe/core/accounting";
import { type Exponential, exponential } from "@lethe/core/mechanisms";
import {
  compare,
  divide,
  fromDouble,
  lastElement,
  multiply,
  parseRational,
  type Rational,
  ratio,
  toDouble,
  toText,
  zero,
} from "@lethe/core/numeric";
import { type Budget, type PlanBudget, pureBudgetOf } from "../problem/budget.ts";
import { type ConvexProblem, constantsOf, type ProblemConstants } from "../problem/convex-problem.ts";
import { checkPublicUnits } from "../problem/public-units.ts";
import { requireSmooth } from "../problem/require-smooth.ts";
import { violatedCondition } from "../problem/violated-condition.ts";
import { type ConvexReport, reportOf } from "../report/convex-report.ts";
import { gradientStep, unitOnGrid } from "../rows/gradient-sums.ts";
import { frankWolfeExcess, meanMiss } from "./frank-wolfe-excess.ts";

/** What is asked of private Frank–Wolfe. Everything in it is public. */
export type FrankWolfeRequest = PlanBudget & {
  /** Features are bounded in "max", and the weights lie in an ℓ1 ball. */
  readonly problem: ConvexProblem;
  /** n, which divides the sums: declared, never counted. */
  readonly units: number;
  readonly adjacency: Adjacency;
  /** T; the least power of two, up to 4096, whose proven excess is within 5 % of the least, unless stated. */
  readonly steps?: number;
};

/** A paid run of private Frank–Wolfe, before any data. */
export interface FrankWolfePlan {
  readonly algorithm: "frank-wolfe@1";
  readonly request: FrankWolfeRequest;
  readonly steps: number;
  /** The exponential mechanism's factor of scores, of whole numbers on the grid of sums. */
  readonly rate: string;
  readonly event: Event;
  readonly report: ConvexReport;
}

const theorem = "private Frank–Wolfe (Talwar, Thakurta & Zhang 2015)";
const mostSteps = 2 ** 16;
/** A bound within this factor of the least is good enough to take fewer steps for. */
const enough = 1.05;

/**
 * Plans private Frank–Wolfe over an ℓ1 ball: each step moves toward one of its 2d vertices, chosen by the exponential mechanism, so the excess
 * grows with ln d and not with √d.
 * Source: Talwar, Thakurta & Zhang 2015 (arXiv 1411.5417); proof: ./frank-wolfe.proof.md.
 * Errors: parameter.invalid, which names the theorem's condition: a smooth convex loss, features bounded in "max".
 * @example planFrankWolfe({ problem, units: 10000, adjacency: "add-or-remove-one", epsilon: 1, delta: 1e-6 }).steps
 */
export function planFrankWolfe(request: FrankWolfeRequest): FrankWolfePlan {
  const { problem, units, adjacency } = request;
  const constants = constantsOf(problem);
  if (problem.features.norm !== "max")
    throw violatedCondition({
      ...{ name: "features.norm", value: problem.features.norm, theorem },
      condition: 'features bounded in "max", so that a unit moves every vertex\'s score little',
      fix: 'declare the features\' largest size, with norm "max"',
    });
  const smoothness = requireSmooth(constants, { loss: problem.loss.name, theorem });
  checkPublicUnits(units);
  const range = scoreRangeOf(adjacency);
  const budget = pureBudgetOf(request);
  const plans = stepsOf(request).map((steps) => {
    const { event, rate } = calibrated(steps, range, adjacency, budget);
    const miss = missOf(rate, constants, problem.dimension, units);
    const proven = frankWolfeExcess({ smoothness, radius: constants.radius, steps, miss });
    return { steps, rate, event, proven };
  });
  const least = Math.min(...plans.map((plan) => plan.proven));
  // The first of nearly the least: four times the steps would gain next to nothing.
  const { steps, rate, event, proven } =
    plans.find((plan) => plan.proven <= least * enough) ?? lastElement(plans);
  return {
    ...{ algorithm: "frank-wolfe@1", request, steps, rate, event },
    report: reportOf(constants, { event, adjacency, budget, risk: "empirical", proven }),
  };
}

/** The most that a difference of two scores moves: every coordinate of the sum moves by 2^20, or by twice that. Errors: parameter.invalid. */
function scoreRangeOf(adjacency: Adjacency): bigint {
  const moved = { "add-or-remove-one": BigInt(unitOnGrid), "replace-one": 2n * BigInt(unitOnGrid) }[
    adjacency
  ];
  if (moved === undefined) throw invalidParameter("adjacency", adjacency, "add-or-remove-one or replace-one");
  return 2n * moved;
}

function stepsOf({ steps }: FrankWolfeRequest): readonly number[] {
  if (steps === undefined) return Array.from({ length: 13 }, (_, i) => 2 ** i);
  if (!(Number.isSafeInteger(steps) && steps >= 1 && steps <= mostSteps))
    throw invalidParameter("steps", steps, `an integer from 1 to ${mostSteps}`);
  return [steps];
}

/** The choices of all steps, priced together. */
interface Choices {
  readonly event: Event;
  readonly rate: string;
}

/**
 * The largest ε a step, of 12 bits, whose T-fold price is within the budget: Tε²/8 ≤ ρ in zCDP, Tε in pure DP, and for (ε, δ) the
 * certified price by either.
 */
function calibrated(steps: number, range: bigint, adjacency: Adjacency, budget: Budget): Choices {
  const { epsilon: whole, delta, epsilonNumber, deltaNumber, rho } = budget;
  const choiceAt = (each: number): Exponential => exponential({ rate: rateOf(each, range), range });
  const added = (epsilonNumber / steps) * (1 - 2 ** -40);
  if (rho !== null)
    return inZcdp(steps, choiceAt(Math.sqrt((8 * toDouble(rho, "down")) / steps) * (1 - 2 ** -40)));
  if (steps === 1 || compare(delta, zero) === 0) return listed(steps, choiceAt(added));
  const at = (each: number): Choices => cheaper(steps, choiceAt(each), delta);
  const fits = (each: number): boolean =>
    account(at(each).event, { adjacency, representations: ["zcdp", "pure"] }).epsilon(deltaNumber).upper <=
    epsilonNumber;
  let [low, high] = [toDouble(whole, "down") / steps, epsilonNumber];
  if (!fits(low)) return at(added);
  for (let i = 0; i < 20; i += 1) {
    const middle = Math.sqrt(low * high);
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return at(low);
}

/** T choices of ε-bounded range by their zCDP, or by their list where adding their ε is cheaper at δ. */
function cheaper(steps: number, choice: Exponential, delta: Rational): Choices {
  const added = multiply(ratio(BigInt(steps)), choice.epsilon);
  return compare(epsilonFromRho(rhoOfChoices(steps, choice), delta), added) < 0
    ? inZcdp(steps, choice)
    : listed(steps, choice);
}

/** T choices of ε-bounded range are T·ε²/8-zCDP (Dong, Durfee & Rogers 2020; Cesar & Rogers 2021). */
function rhoOfChoices(steps: number, { epsilon }: Exponential): Rational {
  return divide(multiply(ratio(BigInt(steps)), multiply(epsilon, epsilon)), ratio(8n));
}

function inZcdp(steps: number, choice: Exponential): Choices {
  const rho = toText(rhoOfChoices(steps, choice));
  return { event: { kind: "zcdp", version: 1, rho, of: "frank-wolfe" }, rate: choice.parameters.rate };
}

function listed(steps: number, { event, parameters }: Exponential): Choices {
  return { event: { kind: "repeat", version: 1, count: String(steps), event }, rate: parameters.rate };
}

/** ε/range, with ε cut to twelve bits: a choice at a rate of few bits is made twenty times as fast. */
function rateOf(epsilon: number, range: bigint): Rational {
  const unit = 2 ** (Math.floor(Math.log2(epsilon)) - 11);
  const { num, den } = fromDouble(Math.floor(epsilon / unit) * unit);
  return ratio(num, den * range);
}

/** What a step's choice misses on average, with what cutting gradients to the grid may hide. */
function missOf(rate: string, constants: ProblemConstants, dimension: number, units: number): number {
  const onGrid = meanMiss({ rate: toDouble(parseRational(rate), "down"), candidates: 2 * dimension });
  const step = gradientStep(constants.lipschitz);
  return constants.radius * ((onGrid * step) / units + 4 * step);
}
