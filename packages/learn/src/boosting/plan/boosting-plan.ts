import type { Adjacency, Event } from "@lethe/core";
import type { Noise } from "@lethe/core/mechanisms";
import type { DeclaredColumn } from "../../model/model.ts";
import type { PlannedColumn } from "./boosted-column.ts";

/** Everything about a training but the rows and the coins: plain JSON, and a function of the description alone. */
export interface BoostingPlan {
  readonly kind: "boosting-plan";
  readonly version: 1;
  readonly target: DeclaredColumn;
  readonly features: readonly PlannedColumn[];
  readonly adjacency: Adjacency;
  readonly bins: number;
  readonly rounds: number;
  readonly rate: number;
  readonly clip: number;
  readonly rows: number;
  readonly shrinkage: number;
  /** Drawn afresh for every cell of every column, in steps of rows · 2^-gridBits. */
  readonly countNoise: Noise;
  /** Drawn afresh for every bin of every step, in steps of clip · 2^-gridBits. */
  readonly stepNoise: Noise;
  /** The cost of the training: to be charged before a row is read. */
  readonly event: Event;
}
