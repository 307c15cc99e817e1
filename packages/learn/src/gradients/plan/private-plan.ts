import type { Adjacency, Event } from "@lethe/core";
import type { Correlation, GradientShape, Noise } from "@lethe/core/mechanisms";
import type { Sampler } from "../sampling/sampler.ts";
import type { Clip, ModelShape } from "./plan-request.ts";

/** A private training before it is paid for: JSON, a function of its description alone. Numbers as texts are exact. */
export interface PrivatePlan {
  readonly version: 1;
  readonly model: ModelShape;
  readonly loss: string;
  readonly adjacency: Adjacency;
  readonly units: number;
  readonly sampler: Sampler;
  readonly clip: Clip;
  readonly correlation: Correlation | null;
  readonly steps: number;
  readonly delta: string;
  /** σ over the sensitivity. */
  readonly noiseMultiplier: string;
  /** What is measured of a unit in a step. */
  readonly shape: GradientShape;
  /** Of a step, in grid units; of the whole training, in units of its measurements, where noise is correlated. */
  readonly sensitivity: { readonly l1: string; readonly l2Squared: string };
  readonly noise: Extract<Noise, { readonly mechanism: "rounded-gaussian@1" }>;
  /** The public expected batch: noisy sums are divided by it, never by a number that was counted. */
  readonly divisor: string;
  /** The record that is charged, once, before the first step. */
  readonly event: Event;
}
