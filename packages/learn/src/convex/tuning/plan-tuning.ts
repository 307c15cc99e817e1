import { account, type Event, type EventOf, invalidParameter } from "@lethe/core";
import { gaussianFor, type Noise, noiseEvent, privateCandidates } from "@lethe/core/mechanisms";
import { compare, fromDouble, rationalOf, toDouble, toText, zero } from "@lethe/core/numeric";
import type { PlainNumber } from "../problem/budget.ts";
import { type ConvexProblem, constantsOf } from "../problem/convex-problem.ts";
import { violatedCondition } from "../problem/violated-condition.ts";
import { type ConvexPlan, checkedPlan } from "./convex-plan.ts";
import { mostGain } from "./gain-sum.ts";

/** What is asked of a private choice among training plans. Everything in it is public. */
export interface TuningRequest {
  /** The plans: of one dimension, one number of units and one adjacency. */
  readonly candidates: readonly ConvexPlan[];
  /** Weights are compared by their gain in this problem's loss over the weights 0, summed over units: within its bounds, whatever the candidates' are. */
  readonly score: {
    readonly problem: ConvexProblem;
    /** The price of one score, in zCDP. */
    readonly rho: PlainNumber;
  };
  /** The law of the number of tries: truncated negative binomial, (1/stop − 1)·shape tries or so; shape 1 is geometric, 0 logarithmic. */
  readonly trials: { readonly shape: string; readonly stop: string };
  /** The δ at which the report states the price. */
  readonly delta: PlainNumber;
}

/** A paid choice among plans, before any data. */
export interface TuningPlan {
  readonly algorithm: "tuning@1";
  readonly request: TuningRequest;
  /** Added to the sum of gains of every try. */
  readonly noise: Noise;
  /** What runs, all tries together: one event. */
  readonly event: Event;
  /** The same as a promise of (ε, δ), ε its certified price at the request's δ: for an account that has no price of its own for tries. */
  readonly charge: EventOf<"approximate">;
  readonly report: {
    readonly price: { readonly epsilon: number; readonly delta: number };
    /** The certified ε of one try, training and score. */
    readonly oneTry: number;
  };
}

const theorem = "repeat-and-select (Papernot & Steinke 2022)";

/**
 * Plans a choice among training plans by private selection: a random number of times, one of them, drawn by coins, is run and scored with noise; the
 * best leaves, with its plan's place and its score. The price hardly grows with the number of tries.
 * Source: Liu & Talwar 2019; Papernot & Steinke 2022, Alg. 1; proof: ./tuning.proof.md.
 * Errors: parameter.invalid for no candidates, ones that differ in dimension, units or adjacency or were changed, and for a broken score or law of tries.
 * @example planTuning({ candidates: [planDescent(a), planDescent(b)], score: { problem, rho: 0.01 }, trials: { shape: "1", stop: "1/10" }, delta: 1e-6 })
 */
export function planTuning(request: TuningRequest): TuningPlan {
  const { candidates, score, trials } = request;
  if (!(Array.isArray(candidates) && candidates.length > 0))
    throw invalidParameter("candidates", "none", "at least one plan");
  const plans = candidates.map(checkedPlan);
  const adjacency = same("adjacency", plans, ({ request }) => request.adjacency);
  same("units", plans, ({ request }) => request.units);
  const dimension = same("dimension", plans, ({ request }) => request.problem.dimension);
  constantsOf(score.problem);
  if (score.problem.dimension !== dimension)
    throw invalidParameter("score.problem.dimension", score.problem.dimension, `that of the candidates`);
  const moved = BigInt(mostGain) * (adjacency === "replace-one" ? 2n : 1n);
  const sensitivity = { l1: moved, l2Squared: moved * moved };
  const rho = rationalOf(score.rho, "score.rho");
  if (!(compare(rho, zero) > 0)) throw invalidParameter("score.rho", score.rho, "> 0");
  const noise = gaussianFor({ l2Squared: moved * moved, rho });
  const weight = `1/${plans.length}`;
  const oneTry: Event = {
    ...{ kind: "compose", version: 1 },
    events: [
      { kind: "mix", version: 1, parts: plans.map(({ event }) => ({ weight, event })) },
      noiseEvent(noise, sensitivity),
    ],
  };
  // What would not be drawn is not priced either.
  const { event } = privateCandidates({
    trials: { law: "negative-binomial", shape: trials.shape, stop: trials.stop },
    event: oneTry,
  });
  const delta = toDouble(rationalOf(request.delta, "delta"), "down");
  const epsilonOf = (of: Event): number => account(of, { adjacency, accuracy: 1e-3 }).epsilon(delta).upper;
  const epsilon = epsilonOf(event);
  const charge: TuningPlan["charge"] = {
    ...{ kind: "approximate" as const, version: 1 as const, of: "tuning" },
    ...{ epsilon: toText(fromDouble(epsilon)), delta: toText(fromDouble(delta)) },
  };
  return {
    ...{ algorithm: "tuning@1", request, noise, event, charge },
    report: { price: { epsilon, delta }, oneTry: epsilonOf(oneTry) },
  };
}

/** What all plans agree in. Errors: parameter.invalid where they differ. */
function same<T extends string | number>(
  name: string,
  plans: readonly ConvexPlan[],
  of: (plan: ConvexPlan) => T,
): T {
  const values = new Set(plans.map(of));
  const [first] = values;
  if (first === undefined || values.size > 1)
    throw violatedCondition({
      ...{ name, value: [...values].join(", "), theorem },
      condition: `one mechanism that is tried again and again, so plans of one ${name}`,
      fix: `plan all candidates with the same ${name}`,
    });
  return first;
}
