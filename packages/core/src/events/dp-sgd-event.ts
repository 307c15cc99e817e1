import { invalidParameter } from "../errors/lethe-error.ts";
import { divide, parseRational, toText } from "../numeric/rational.ts";
import { decimalText } from "./decimal-text.ts";
import type { Event } from "./event.ts";
import { eventFromJson } from "./event-json.ts";

/** The sampling rate of a step: given as a rate, or as the expected batch out of so many units. */
export type SamplingRate =
  | { readonly rate: number | string }
  | { readonly units: number | string; readonly batch: number | string };

export type DpSgd = SamplingRate & {
  /** σ over the clipping norm of one unit's gradient. */
  readonly noiseMultiplier: number | string;
  readonly steps: number | bigint;
  /** A sample of more than `batch` units is cut to `batch` of them at random; there are at most `units`, which is public. */
  readonly limit?: { readonly batch: number | string | bigint; readonly units: number | string | bigint };
};

const textOf = (x: number | string | bigint, name: string): string =>
  typeof x === "number" ? decimalText(x, name) : String(x);

function rateOf(sampling: SamplingRate): string {
  if ("rate" in sampling) return textOf(sampling.rate, "rate");
  const units = parseRational(textOf(sampling.units, "units"), "units");
  if (!(units.num > 0n)) throw invalidParameter("units", sampling.units, "> 0");
  return toText(divide(parseRational(textOf(sampling.batch, "batch"), "batch"), units));
}

function samplesOf({ limit }: DpSgd): object {
  if (limit === undefined) return { kind: "poisson-sample" };
  const [batch, units] = [textOf(limit.batch, "limit"), textOf(limit.units, "population")];
  // A limit that nobody reaches cuts nothing.
  const isReached = Number(batch) < Number(units);
  return { kind: "truncated-poisson-sample", population: units, limit: isReached ? batch : units };
}

/**
 * DP-SGD with Poisson samples: `steps` times, Gaussian noise on the sum of the clipped gradients of a sample that takes each
 * unit with probability `rate` (or batch/units, exactly). Abadi et al. 2016 (arXiv 1607.00133), Alg. 1. The sum must be
 * divided by a public constant, not by the size of the sample drawn.
 * Errors: parameter.invalid for a rate outside [0, 1], a noise multiplier that is not positive, fewer than one step.
 * @example dpSgdEvent({ units: 60000, batch: 256, noiseMultiplier: 1.1, steps: 14062 })
 */
export function dpSgdEvent(run: DpSgd): Event {
  return eventFromJson({
    kind: "repeat",
    version: 1,
    count: textOf(run.steps, "steps"),
    event: {
      ...samplesOf(run),
      version: 1,
      rate: rateOf(run),
      event: {
        kind: "gaussian",
        version: 1,
        sigma: textOf(run.noiseMultiplier, "noiseMultiplier"),
        sensitivity: "1",
      },
    },
  });
}
