import { compare, divide, type Rational, ratio, rationalOf, toText, zero } from "@lethe/core/numeric";
import { refuse } from "../sampling/refusal.ts";
import type { Clip, ClipRequest, ModelShape } from "./plan-request.ts";

/** What clipping to a grid takes; see ../../clipping/clip-scale.ts. An adaptive clip may move by 2^40 either way from its start. */
const norms = { fixed: 2 ** 64, start: 2 ** 24 } as const;

/**
 * Reads a clip. `expected` is the public expected batch.
 * Errors: parameter.invalid for a norm that clipping cannot take, norms that are not the layers', a quantile outside (0, 1).
 */
export function readClip(clip: ClipRequest, model: ModelShape, expected: Rational): Clip {
  if (typeof clip === "number") {
    checkNorm("clip", clip, norms.fixed);
    return { kind: "flat", norm: clip };
  }
  if ("perLayer" in clip) {
    const { layers = [] } = model;
    if (clip.perLayer.length !== layers.length || layers.length === 0) {
      refuse({
        name: "clip.perLayer",
        value: `${clip.perLayer.length} norms`,
        condition: `a norm for each of the model's ${layers.length} layers`,
        fix:
          layers.length === 0
            ? "give model.layers, or one number as the clip"
            : `give ${layers.length} norms`,
      });
    }
    for (const norm of clip.perLayer) checkNorm("clip.perLayer", norm, norms.fixed);
    return { kind: "per-layer", norms: [...clip.perLayer] };
  }
  const { start, quantile = 0.5, pace = 0.2, countNoise } = clip.adaptive;
  checkNorm("clip.adaptive.start", start, norms.start);
  if (!(quantile > 0 && quantile < 1)) {
    refuse({
      name: "clip.adaptive.quantile",
      value: quantile,
      condition: "above 0 and below 1",
      fix: "give quantile: 0.5",
    });
  }
  if (!(pace > 0 && pace <= 1)) {
    refuse({
      name: "clip.adaptive.pace",
      value: pace,
      condition: "above 0 and at most 1",
      fix: "give pace: 0.2",
    });
  }
  const deviation =
    countNoise === undefined
      ? divide(expected, ratio(20n))
      : rationalOf(countNoise, "clip.adaptive.countNoise");
  if (!(compare(deviation, zero) > 0)) {
    refuse({
      name: "clip.adaptive.countNoise",
      value: countNoise,
      condition: "above 0: a count without noise has no price",
      fix: "leave countNoise out",
    });
  }
  return { kind: "adaptive", start, quantile, pace, countNoise: toText(deviation) };
}

function checkNorm(name: string, norm: number, most: number): void {
  if (!(norm >= 1 / most && norm <= most)) {
    refuse({
      name,
      value: norm,
      condition: `from 2^-${Math.log2(most)} to 2^${Math.log2(most)}: noise is in units of it`,
      fix: `give ${name} a norm such as 1`,
    });
  }
}
