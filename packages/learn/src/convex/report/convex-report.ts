import { type Adjacency, account, type Event } from "@lethe/core";
import type { Budget } from "../problem/budget.ts";
import type { ProblemConstants } from "../problem/convex-problem.ts";

/** What is proven of the excess risk of a plan's weights, for every data set within the declared bounds (clipped data count as clipped). */
export interface ExcessBound {
  /** Over what: the mean loss of the units in the data, or of the population that they are drawn from. */
  readonly risk: "empirical" | "population";
  /** The expected excess over the best weights of the ball is at most this. */
  readonly proven: number;
  /** The weights 0, which need no data, lose at most this. */
  readonly withoutData: number;
  /** True where the proven bound is no better: then it says nothing. Compared with declared bounds, never with data. */
  readonly vacuous: boolean;
}

/** What a plan tells before it is paid: constants, what the theorem would take and charge, what is charged, and what is proven. */
export interface ConvexReport {
  /** L, in the norm of the features. */
  readonly lipschitz: number;
  /** β; null for a loss that is not smooth. */
  readonly smoothness: number | null;
  /** R, the diameter of the ball of weights. */
  readonly diameter: number;
  /** The smallest certified ε at δ of what runs, by core's accountant. */
  readonly price: { readonly epsilon: number; readonly delta: number };
  readonly bound: ExcessBound;
}

/** Returns the parts of a report that every plan has. */
export function reportOf(
  constants: ProblemConstants,
  run: {
    readonly event: Event;
    readonly adjacency: Adjacency;
    readonly budget: Budget;
    readonly risk: ExcessBound["risk"];
    readonly proven: number;
  },
): ConvexReport {
  const { lipschitz, smoothness, radius, worstExcess } = constants;
  const delta = run.budget.deltaNumber;
  const proven = run.proven * (1 + 2 ** -30);
  return {
    lipschitz,
    smoothness,
    diameter: 2 * radius,
    price: {
      epsilon: account(run.event, { adjacency: run.adjacency }).epsilon(delta).upper,
      delta,
    },
    bound: { risk: run.risk, proven, withoutData: worstExcess, vacuous: !(proven < worstExcess) },
  };
}
