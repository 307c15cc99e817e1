import {
  type CorrelatedState,
  correlatedReleaser,
  type Exact,
  gradientGridBits,
  gradientReleaser,
  type TrainingDraws,
} from "@lethe/core/mechanisms";
import { doubleAt, elementAt, parseRational, toDouble } from "@lethe/core/numeric";
import type { ClippedSums } from "../../clipping/clipped-gradients.ts";
import type { PrivatePlan } from "../plan/private-plan.ts";

/** One noisy step: the mean gradient, and the clip of the next step. */
export interface NoisyStep {
  readonly gradient: Float64Array;
  readonly nextClip: number;
}

/** The releases of a plan, in order. */
export interface NoisySteps {
  /** Releases a step: the sums over its batch, which may be empty, at its clip. */
  release(exact: Exact<ClippedSums>, clip: number): NoisyStep;
  /** What the noise of later steps hangs on; none where steps are independent. */
  noise(): readonly Float64Array[];
}

/** The clip may not leave these bounds, as powers of 2 about its start: far enough for any data, and finite. */
const clipRange = 2 ** 40;

/** Opens the releases of a plan, or those of its steps from a state on. */
export function openSteps(plan: PrivatePlan, draws: TrainingDraws, held: CorrelatedState): NoisySteps {
  const { parameters } = plan.model;
  const divisor = toDouble(parseRational(plan.divisor), "down");
  const scales = scalesOf(plan);
  const gradientOf = (sums: Float64Array, clip: number): Float64Array => {
    const gradient = new Float64Array(parameters);
    const scale = 2 ** -gradientGridBits / divisor;
    for (let i = 0; i < parameters; i++) {
      const norm = scales === null ? clip : doubleAt(scales, i);
      gradient[i] = doubleAt(sums, i) * norm * scale;
    }
    return gradient;
  };
  if (plan.correlation !== null) {
    const { correlation, noise, steps } = plan;
    const releases = correlatedReleaser({ parameters, correlation, noise, steps }, draws, held);
    return {
      release: (exact, clip) => ({
        gradient: gradientOf(releases.release(exact), clip),
        nextClip: clip,
      }),
      noise: () => releases.state().vectors,
    };
  }
  const { countWeight } = plan.shape;
  const release = gradientReleaser({ parameters, countWeight, noise: plan.noise }, draws);
  return {
    release(exact, clip) {
      const { sums, count } = release(exact);
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
function scalesOf({ clip, model }: PrivatePlan): Float64Array | null {
  if (clip.kind !== "per-layer") return null;
  const layers = model.layers ?? [];
  const scales = new Float64Array(model.parameters);
  let at = 0;
  for (const [layer, length] of layers.entries()) {
    scales.fill(elementAt(clip.norms, layer), at, at + length);
    at += length;
  }
  return scales;
}
