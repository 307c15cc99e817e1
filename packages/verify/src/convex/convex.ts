import type { Adjacency, Event } from "@lethe/core";
import type { Noise } from "@lethe/core/mechanisms";
import type { OwnersWords } from "../format/owners-words.ts";
import type { StatedColumn } from "../procedure/declared-domain.ts";

/** The plan of a convex model's training as it stands in a certificate, declared here once more. Numbers as texts are exact. */
export interface ConvexPlan extends OwnersWords {
  readonly kind: "convex-plan";
  readonly version: 1;
  readonly source: string;
  readonly where: string | null;
  readonly target: StatedColumn;
  readonly features: readonly StatedColumn[];
  /** Whether a feature that is always 1 stands before the columns. */
  readonly intercept: boolean;
  readonly method: Run;
  readonly event: Event;
}

export type Loss =
  | { readonly name: "linear" | "squared" | "logistic" | "hinge" }
  | { readonly name: "huber"; readonly corner: number }
  | { readonly name: "smooth-hinge"; readonly width: number };

export interface Problem {
  readonly loss: Loss;
  readonly dimension: number;
  readonly features: { readonly norm: "l2" | "max"; readonly bound: number };
  readonly labels: number;
  readonly radius: number;
}

export interface Request {
  readonly problem: Problem;
  /** The declared number of units. */
  readonly units: number;
  readonly adjacency: Adjacency;
  readonly delta: number | string;
}

export interface Report {
  readonly lipschitz: number;
  readonly smoothness: number | null;
  readonly diameter: number;
  readonly price: { readonly epsilon: number; readonly delta: number };
  readonly bound: {
    readonly risk: "empirical" | "population";
    readonly proven: number;
    readonly withoutData: number;
    readonly vacuous: boolean;
  };
}

export interface Descent {
  readonly algorithm: "noisy-descent@1";
  readonly request: Request;
  readonly steps: number;
  readonly stepSize: number;
  readonly noise: Noise;
  readonly event: Event;
  readonly report: Report & { readonly sigma: number };
}

export interface Localization {
  readonly algorithm: "localization@1";
  readonly request: Request;
  readonly phases: readonly {
    readonly units: number;
    readonly stepSize: number;
    readonly sigma: number;
    readonly slack: number;
    readonly grid: number;
  }[];
  readonly noise: Noise;
  readonly event: Event;
  readonly report: Report;
}

export interface OnePass {
  readonly algorithm: "one-pass@1";
  readonly request: Request;
  readonly schedule: {
    readonly steps: number;
    readonly spread: number;
    readonly sigma: number;
    readonly stepSize: number;
    readonly rho: number;
    readonly excess: number;
  };
  readonly event: Event;
  readonly report: Report;
}

/** A fixed number of steps of a strongly convex objective. */
export interface Solver {
  readonly distance: number;
  readonly stepSize: number;
  readonly steps: number;
  readonly accuracy: number;
}

export interface OutputPerturbation {
  readonly algorithm: "output-perturbation@1";
  readonly request: Request;
  readonly ridge: number;
  readonly solver: Solver;
  readonly grid: number;
  readonly noise: Noise;
  readonly event: Event;
  readonly report: Report;
}

export interface ObjectivePerturbation {
  readonly algorithm: "objective-perturbation@1";
  readonly request: Request;
  readonly objective: { readonly sigma: number; readonly convexity: number };
  readonly solver: Solver;
  readonly grid: number;
  readonly noise: Noise;
  readonly event: Event;
  readonly report: Report;
}

export interface FrankWolfe {
  readonly algorithm: "frank-wolfe@1";
  readonly request: Request;
  readonly steps: number;
  readonly rate: string;
  readonly event: Event;
  readonly report: Report;
}

export type Method =
  | Descent
  | Localization
  | OnePass
  | OutputPerturbation
  | ObjectivePerturbation
  | FrankWolfe;

/** A private choice among plans. */
export interface Tuning {
  readonly algorithm: "tuning@1";
  readonly request: {
    readonly candidates: readonly Method[];
    readonly score: { readonly problem: Problem; readonly rho: number | string };
    /** The law of the number of tries: truncated negative binomial. */
    readonly trials: { readonly shape: string; readonly stop: string };
    readonly delta: number | string;
  };
  /** Added to the sum of gains of every try. */
  readonly noise: Noise;
  /** All tries together. */
  readonly event: Event;
  /** What is charged for it. */
  readonly charge: Event;
  readonly report: TuningReport;
}

export interface TuningReport {
  readonly price: { readonly epsilon: number; readonly delta: number };
  readonly oneTry: number;
}

export type Run = Method | Tuning;

/** The model that a training releases. */
export interface ConvexModel {
  readonly kind: "convex";
  readonly version: 1;
  readonly target: StatedColumn;
  readonly features: readonly StatedColumn[];
  readonly intercept: boolean;
  readonly loss: Loss;
  readonly weights: readonly number[];
  readonly algorithm: Method["algorithm"];
  readonly report: unknown;
  readonly tuning: {
    readonly candidate: number;
    readonly score: number;
    readonly report: TuningReport;
  } | null;
  readonly adjacency: Adjacency;
  readonly event: Event;
}
