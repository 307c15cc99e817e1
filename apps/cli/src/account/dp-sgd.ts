import {
  dpSgdEvent,
  type Event,
  invalidParameter,
  LetheError,
  largestSteps,
  type Rational,
  ratio,
  smallestNoise,
  toText,
} from "@lethe/core";
import { divide, floor } from "@lethe/core/numeric";
import { type AccountFlags, seenBy, targetOf } from "./flags.ts";
import { needed, positive, rateOf, wholeNumber } from "./parameters.ts";
import type { Report } from "./report.ts";
import { shown } from "./shown-number.ts";

export interface DpSgdFlags extends AccountFlags {
  readonly n?: string;
  readonly batch?: string;
  readonly rate?: string;
  readonly sigma?: string;
  readonly batchLimit?: string;
  readonly maxN?: string;
  readonly epochs?: string;
  readonly steps?: string;
  readonly find: "epsilon" | "sigma" | "steps";
}

/** A run of DP-SGD with all its parameters known, one of them perhaps found. */
export interface DpSgdRun {
  readonly event: Event;
  readonly details: string;
  readonly found: Report["found"];
}

/** Reads the flags, and finds what is to be found. Errors: cli.usage, parameter.invalid, account.unprovable. */
export function dpSgdRun(flags: DpSgdFlags): DpSgdRun {
  const rate = samplingRate(flags);
  const limit = limitOf(flags);
  const eventAt = (sigma: string, steps: bigint): Event =>
    dpSgdEvent({
      ...{ rate: toText(rate), noiseMultiplier: sigma, steps },
      ...(limit === undefined ? {} : { limit }),
    });
  const seenAt = (sigma: string, steps: bigint): Event => seenBy(flags, eventAt(sigma, steps));
  const runOf = (sigma: string, steps: bigint, found: Report["found"]): DpSgdRun => ({
    event: eventAt(sigma, steps),
    details: `${sampled(flags)}, σ ${sigma}, ${steps.toLocaleString("en")} steps; Poisson samples${limitText(limit)}`,
    found,
  });
  const known = {
    sigma: () => sigmaText(needed("sigma", flags.sigma, "DP-SGD")),
    steps: () => stepsOf(flags, rate),
  };
  const goals: Readonly<Record<DpSgdFlags["find"], () => DpSgdRun>> = {
    epsilon: () => runOf(known.sigma(), known.steps(), null),
    sigma() {
      const steps = known.steps();
      // The σ that is printed is the very one that is certified.
      const text = (sigma: number): string => shown(sigma, "up", 8);
      const { value } = smallestNoise({
        ...targetOf(flags),
        eventAt: (sigma) => seenAt(text(sigma), steps),
      });
      return runOf(text(value), steps, { parameter: "sigma", value: text(value) });
    },
    steps() {
      const sigma = known.sigma();
      const { value } = largestSteps({ ...targetOf(flags), eventAt: (steps) => seenAt(sigma, steps) });
      return runOf(sigma, value, { parameter: "steps", value: value.toString() });
    },
  };
  return goals[flags.find]();
}

type Limit = { readonly batch: bigint; readonly units: bigint };

/** --batch-limit, and the units there may be. Errors: cli.usage where only one is known. */
function limitOf({ batchLimit, maxN, n }: DpSgdFlags): Limit | undefined {
  if (batchLimit === undefined) {
    if (maxN === undefined) return undefined;
    throw new LetheError(
      "cli.usage",
      "--max-n says how many units may fill a batch, which has no limit here",
      {
        fix: "add --batch-limit SIZE, or leave --max-n out",
      },
    );
  }
  const units = needed("max-n", maxN ?? n, "a batch with a limit");
  return { batch: wholeNumber("batch-limit", batchLimit), units: wholeNumber("max-n", units) };
}

function limitText(limit: Limit | undefined): string {
  if (limit === undefined) return "";
  const [batch, units] = [limit.batch, limit.units].map((count) => count.toLocaleString("en"));
  return `, cut to ${batch}, of at most ${units} units`;
}

/** batch/n, exactly, or the rate itself. */
function samplingRate({ n, batch, rate }: DpSgdFlags): Rational {
  if (rate !== undefined) {
    if (n === undefined && batch === undefined) return rateOf("rate", rate);
    throw new LetheError("cli.usage", "--rate says the same as --n and --batch", {
      fix: "give --rate, or both --n and --batch",
    });
  }
  const units = wholeNumber("n", needed("n", n, "DP-SGD without --rate"));
  const size = positive("batch", needed("batch", batch, "DP-SGD without --rate"));
  const share = divide(size, ratio(units));
  if (share.num > share.den) throw invalidParameter("batch", batch, `above 0 and at most n = ${units}`);
  return share;
}

const sampled = ({ n, batch, rate }: DpSgdFlags): string =>
  rate === undefined ? `batch ${batch} of ${n}` : `rate ${rate}`;

function sigmaText(text: string): string {
  positive("sigma", text);
  return text;
}

/** --steps, or the whole steps in --epochs passes over the data: one pass is 1/rate steps. */
function stepsOf({ steps, epochs }: DpSgdFlags, rate: Rational): bigint {
  if (steps !== undefined && epochs !== undefined) {
    throw new LetheError("cli.usage", "--epochs says the same as --steps", { fix: "give one of the two" });
  }
  if (steps !== undefined) return wholeNumber("steps", steps);
  const passes = positive("epochs", needed("steps", epochs, "DP-SGD without --epochs"));
  const whole = floor(divide(passes, rate));
  if (whole < 1n) throw invalidParameter("epochs", epochs, "long enough for one step");
  return whole;
}
