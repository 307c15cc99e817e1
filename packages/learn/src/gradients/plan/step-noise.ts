import type { Adjacency, Event } from "@lethe/core";
import {
  type Correlation,
  correlatedNoise,
  correlatedSensitivity,
  type GradientShape,
  gaussianOf,
  gradientSensitivity,
  type Sensitivity,
} from "@lethe/core/mechanisms";
import { compare, parseRational, type Rational, rationalOf, toDouble, toText } from "@lethe/core/numeric";
import { refuse } from "../sampling/refusal.ts";
import { sampledEvent, unitMove } from "../sampling/sampled-event.ts";
import type { Sampler } from "../sampling/sampler.ts";
import type { Clip, ModelShape } from "./plan-request.ts";
import type { PrivatePlan } from "./private-plan.ts";

/** All of a plan but its noise. */
export interface Unpriced {
  readonly model: ModelShape;
  readonly adjacency: Adjacency;
  readonly units: number;
  readonly sampler: Sampler;
  readonly clip: Clip;
  readonly correlation: Correlation | null;
  readonly steps: number;
}

type Noised = Pick<PrivatePlan, "noiseMultiplier" | "shape" | "sensitivity" | "noise" | "event">;

/** The noise, the sensitivity and the event at a noise multiplier: the only way from one to the other. */
export function noised(plan: Unpriced, multiplier: Rational): Noised {
  const shape = shapeOf(plan, multiplier);
  const sensitivity = sensitivityOf(plan, shape);
  const noise = (plan.correlation === null ? gaussianOf : correlatedNoise)(multiplier, sensitivity.l2Squared);
  if (noise.mechanism !== "rounded-gaussian@1") {
    return refuse({
      name: "noise",
      value: noise.mechanism,
      condition: "a rounded Gaussian",
      fix: "give noise above 0",
    });
  }
  return {
    noiseMultiplier: toText(multiplier),
    shape,
    sensitivity: { l1: `${sensitivity.l1}`, l2Squared: `${sensitivity.l2Squared}` },
    noise,
    event: sampledEvent(plan.sampler, { steps: plan.steps, units: plan.units, noise, sensitivity }),
  };
}

/** The event alone, at a noise multiplier that a search tries. */
export function eventAt(plan: Unpriced): (multiplier: number) => Event {
  // The multiplier alone decides the price: σ is it times the sensitivity, whatever the count's weight.
  const flat: Unpriced = { ...plan, clip: { kind: "flat", norm: 1 } };
  return (multiplier) => noised(flat, rationalOf(multiplier, "noise")).event;
}

function sensitivityOf(
  { sampler, adjacency, correlation, steps }: Unpriced,
  shape: GradientShape,
): Sensitivity {
  const move = unitMove(sampler, adjacency);
  if (correlation === null) return gradientSensitivity(shape, move);
  const bins = sampler.kind === "cyclic" ? sampler.bins : 1;
  return correlatedSensitivity(
    { steps, correlation, participations: Math.ceil(steps / bins), separation: bins },
    shape,
    move,
  );
}

function shapeOf({ model, clip }: Unpriced, multiplier: Rational): GradientShape {
  const { parameters } = model;
  if (clip.kind === "flat") return { parameters, layers: 1, countWeight: 0 };
  if (clip.kind === "per-layer") return { parameters, layers: clip.norms.length, countWeight: 0 };
  return { parameters, layers: 1, countWeight: countWeight(parseRational(clip.countNoise), multiplier) };
}

/**
 * The weight w at which the count's noise is about `deviation` units. σ² = m²(2⁴⁰ + w²) for a multiplier m, and the count's deviation is σ/w: so w = 2²⁰·m/√(deviation² − m²).
 * Whatever integer comes out is what is run and priced.
 */
function countWeight(deviation: Rational, multiplier: Rational): number {
  const [spread, m] = [toDouble(deviation, "down"), toDouble(multiplier, "up")];
  if (!(compare(deviation, multiplier) > 0 && spread > m)) {
    refuse({
      name: "clip.adaptive.countNoise",
      value: toText(deviation),
      condition: `above the noise multiplier, ${toText(multiplier)}: the count alone would cost the whole`,
      fix: `give countNoise: ${Math.ceil(4 * m)}, or a larger batch`,
    });
  }
  return Math.max(1, Math.ceil((2 ** 20 * m) / Math.sqrt((spread - m) * (spread + m))));
}
