import {
  type CorrelatedState,
  correlatedReleaser,
  gradientGridBits,
  gradientReleaser,
  type TrainingDraws,
} from "@lethe/core/mechanisms";
import { doubleAt, elementAt, parseRational, toDouble } from "@lethe/core/numeric";
import type { ClippedGradients } from "../../clipping/clipped-gradients.ts";
import type { PrivatePlan } from "../plan/private-plan.ts";
import { refuse } from "../sampling/refusal.ts";
import { isLayered } from "./layered-gradients.ts";

/** One noisy step: the mean gradient, and the clip of the next step. */
export interface NoisyStep {
  readonly gradient: Float64Array;
  readonly nextClip: number;
}

/** The releases of a plan, in order. */
export interface NoisySteps {
  /** Releases a step over a batch, which may be empty. */
  release(weights: Float64Array, batch: Uint32Array, clip: number): NoisyStep;
  /** What the noise of later steps hangs on; none where steps are independent. */
  noise(): readonly Float64Array[];
}

/** The clip may not leave these bounds, as powers of 2 about its start: far enough for any data, and finite. */
const clipRange = 2 ** 40;

/** Opens the releases of a plan, or those of its steps from a state on. */
export function openSteps(
  plan: PrivatePlan,
  gradients: ClippedGradients,
  draws: TrainingDraws,
  held: CorrelatedState,
): NoisySteps {
  const { parameters } = plan.model;
  const divisor = toDouble(parseRational(plan.divisor), "down");
  const scales = scalesOf(plan, gradients);
  const gradientOf = (sums: Float64Array, clip: number): Float64Array => {
    const gradient = new Float64Array(parameters);
    const scale = 2 ** -gradientGridBits / divisor;
    for (let i = 0; i < parameters; i++) {
      const norm = scales === null ? clip : doubleAt(scales, i);
      gradient[i] = doubleAt(sums, i) * norm * scale;
    }
    return gradient;
  };
  const exactOf = (weights: Float64Array, batch: Uint32Array, clip: number) =>
    plan.clip.kind === "per-layer" && isLayered(gradients)
      ? gradients.sumByLayer(weights, batch, plan.clip.norms)
      : gradients.sum(weights, batch, clip);

  if (plan.correlation !== null) {
    const { correlation, noise, steps } = plan;
    const releases = correlatedReleaser({ parameters, correlation, noise, steps }, draws, held);
    return {
      release: (weights, batch, clip) => ({
        gradient: gradientOf(releases.release(exactOf(weights, batch, clip)), clip),
        nextClip: clip,
      }),
      noise: () => releases.state().vectors,
    };
  }
  const { countWeight } = plan.shape;
  const release = gradientReleaser({ parameters, countWeight, noise: plan.noise }, draws);
  return {
    release(weights, batch, clip) {
      const { sums, count } = release(exactOf(weights, batch, clip));
      return {
        gradient: gradientOf(sums, clip),
        nextClip: count === null ? clip : nextClip(plan, clip, count / divisor),
      };
    },
    noise: () => [],
  };
}

/** Andrew et al. 2021, Eq. 1: geometric steps toward the quantile of the units' norms. */
function nextClip({ clip: rule }: PrivatePlan, clip: number, share: number): number {
  if (rule.kind !== "adaptive") return clip;
  const moved = clip * Math.exp(rule.pace * (rule.quantile - share));
  return Math.min(rule.start * clipRange, Math.max(rule.start / clipRange, moved));
}

/** Each coordinate's norm where layers have their own; null for one clip. */
function scalesOf({ clip, model }: PrivatePlan, gradients: ClippedGradients): Float64Array | null {
  if (clip.kind !== "per-layer") return null;
  const layers = model.layers ?? [];
  if (!isLayered(gradients) || gradients.layers.join() !== layers.join()) {
    refuse({
      name: "gradients",
      value: "others",
      condition: "gradients that clip the plan's layers one by one",
      fix: "give gradients with sumByLayer over model.layers, or plan with one number as the clip",
    });
  }
  const scales = new Float64Array(model.parameters);
  let at = 0;
  for (const [layer, length] of layers.entries()) {
    scales.fill(elementAt(clip.norms, layer), at, at + length);
    at += length;
  }
  return scales;
}
