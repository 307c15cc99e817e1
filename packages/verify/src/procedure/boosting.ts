import type { Adjacency, Event } from "@lethe/core";
import type { Noise } from "@lethe/core/mechanisms";
import type { OwnersWords } from "../format/owners-words.ts";
import type { StatedColumn } from "./declared-domain.ts";

type Category = string | number | boolean;

/** The plan of a boosting as it stands in a certificate, declared here once more. */
export interface BoostingPlan extends OwnersWords {
  readonly kind: "boosting-plan";
  readonly version: 1;
  readonly source: string;
  readonly where: string | null;
  readonly target: StatedColumn;
  readonly features: readonly PlannedFeature[];
  readonly adjacency: Adjacency;
  readonly bins: number;
  readonly rounds: number;
  readonly rate: number;
  /** The norm that a unit's residuals are clipped to in a step. */
  readonly clip: number;
  /** The norm that a unit's rows are clipped to in the counts of a column. */
  readonly rows: number;
  readonly shrinkage: number;
  readonly countNoise: Noise;
  readonly stepNoise: Noise;
  readonly event: Event;
}

export type PlannedFeature =
  | (Extract<StatedColumn, { readonly kind: "number" }> & {
      readonly edges: readonly number[];
      readonly merged: boolean;
    })
  | Extract<StatedColumn, { readonly kind: "category" }>;

/** The model that a boosting releases. */
export interface BoostedModel {
  readonly kind: "boosting";
  readonly version: 1;
  readonly target: StatedColumn;
  readonly intercept: number;
  readonly shapes: readonly Shape[];
  readonly adjacency: Adjacency;
  readonly event: Event;
}

interface Bin {
  readonly value: number;
  readonly deviation: number;
  readonly weight: number;
}

export type Shape = { readonly name: string; readonly bins: readonly Bin[]; readonly missing: Bin } & (
  | { readonly kind: "number"; readonly bounds: readonly [number, number]; readonly edges: readonly number[] }
  | { readonly kind: "category"; readonly groups: readonly (readonly Category[])[] }
);
