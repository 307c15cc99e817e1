import {
  type Event,
  invalidParameter,
  parseRational,
  type Rational,
  ratio,
  smallestNoise,
  toDouble,
  toText,
} from "@lethe/core";
import { gaussianFromEpsilon } from "@lethe/core/accounting";
import { divide, multiply, sqrtBracket } from "@lethe/core/numeric";
import { answer, type Said } from "../account/answer.ts";
import { type DpSgdFlags, dpSgdRun } from "../account/dp-sgd.ts";
import { type AccountFlags, seenBy, targetOf, targetTexts } from "../account/flags.ts";
import { noiseForAdvantage } from "../account/noise-for-advantage.ts";
import { advantageOf, positive, wholeNumber } from "../account/parameters.ts";
import { readEvent } from "../account/read-event.ts";
import { shown } from "../account/shown-number.ts";

/** lethe account FILE: an event tree. */
export async function accountEvent(path: string, flags: AccountFlags): Promise<void> {
  const event = readEvent(path, flags.adjacency);
  await answer({ title: path === "-" ? "standard input" : path, details: event.kind }, event, flags);
}

/** lethe account dpsgd */
export async function accountDpSgd(flags: DpSgdFlags): Promise<void> {
  const { event, details, found } = dpSgdRun(flags);
  await answer({ title: "DP-SGD", details, of: "steps" }, event, flags, found);
}

interface NoiseFlags extends AccountFlags {
  readonly sensitivity: string;
  readonly count: string;
}

/** lethe account gaussian: what noise costs; without --sigma, the least σ for (ε, δ). */
export async function accountGaussian(flags: NoiseFlags & { readonly sigma?: string }): Promise<void> {
  const sensitivity = positive("sensitivity", flags.sensitivity);
  const count = wholeNumber("count", flags.count);
  // A group of k moves the whole by k sensitivities.
  const moved = multiply(sensitivity, ratio(wholeNumber("group", flags.group ?? "1")));
  const l2Squared = multiply(multiply(moved, moved), ratio(count));
  const noiseAt = (text: string): Event => ({
    kind: "gaussian",
    version: 1,
    sigma: toText(positive("sigma", text)),
    sensitivity: toText(sensitivity),
  });
  const forAdvantage = (advantage: string): string =>
    noiseForAdvantage((text) => seenBy(flags, repeated(noiseAt(text), count)), advantageOf(advantage));
  const sigma =
    flags.sigma ??
    (flags.advantage === undefined ? analyticSigma(flags, l2Squared) : forAdvantage(flags.advantage));
  const noise = noiseAt(sigma);
  const found = flags.sigma === undefined ? { parameter: "sigma", value: sigma } : null;
  await answer(saidOf("Gaussian noise", `σ ${sigma}`, flags), repeated(noise, count), flags, found);
}

/** The least σ for Gaussians of this squared sensitivity together: Balle & Wang 2018, Alg. 1. Rounded up. */
function analyticSigma(flags: NoiseFlags, l2Squared: Rational): string {
  targetOf(flags);
  const { epsilon, delta } = targetTexts(flags);
  const muSquared = gaussianFromEpsilon(parseRational(epsilon, "epsilon"), parseRational(delta, "delta"));
  return shown(toDouble(sqrtBracket(divide(l2Squared, muSquared), 120).hi, "up"), "up", 12);
}

/** lethe account laplace: what noise costs; without --scale, the least scale for (ε, δ). */
export async function accountLaplace(flags: NoiseFlags & { readonly scale?: string }): Promise<void> {
  const sensitivity = toText(positive("sensitivity", flags.sensitivity));
  const count = wholeNumber("count", flags.count);
  const eventAt = (text: string): Event => {
    const scale = toText(positive("scale", text));
    return repeated({ kind: "continuous-laplace", version: 1, scale, sensitivity }, count);
  };
  const text = (noise: number): string => shown(noise, "up", 8);
  const forTarget = (): string =>
    text(
      smallestNoise({ ...targetOf(flags), eventAt: (noise) => seenBy(flags, eventAt(text(noise))) }).value,
    );
  const scale =
    flags.scale ??
    (flags.advantage === undefined
      ? forTarget()
      : noiseForAdvantage((noise) => seenBy(flags, eventAt(noise)), advantageOf(flags.advantage)));
  const found = flags.scale === undefined ? { parameter: "scale", value: scale } : null;
  await answer(saidOf("Laplace noise", `scale ${scale}`, flags), eventAt(scale), flags, found);
}

function saidOf(title: string, noise: string, { sensitivity, count }: NoiseFlags): Said {
  const times = count === "1" ? "" : `, ${wholeNumber("count", count).toLocaleString("en")} times`;
  return { title, details: `${noise}, sensitivity ${sensitivity}${times}` };
}

const repeated = (event: Event, count: bigint): Event =>
  count === 1n ? event : { kind: "repeat", version: 1, count: count.toString(), event };

interface ShuffleFlags extends AccountFlags {
  readonly reports: string;
  readonly local: string;
}

/** lethe account shuffle: ε₀-DP reports, shuffled. */
export async function accountShuffle(flags: ShuffleFlags): Promise<void> {
  const reports = wholeNumber("reports", flags.reports);
  const local = toText(positive("local", flags.local));
  const details = `${reports.toLocaleString("en")} reports, each ${flags.local}-DP`;
  const event: Event = { kind: "shuffle", version: 1, reports: reports.toString(), epsilon: local };
  await answer({ title: "Shuffled reports", details }, event, flags);
}

interface AllocationFlags extends AccountFlags {
  readonly steps: string;
  readonly selected: string;
  readonly sigma: string;
  readonly sensitivity: string;
}

/** lethe account allocation: each unit in some of the steps, drawn at random. */
export async function accountAllocation(flags: AllocationFlags): Promise<void> {
  const steps = wholeNumber("steps", flags.steps);
  const selected = wholeNumber("selected", flags.selected);
  if (selected > steps) throw invalidParameter("selected", flags.selected, `at most steps = ${steps}`);
  const event: Event = {
    kind: "random-allocation",
    version: 1,
    steps: steps.toString(),
    selected: selected.toString(),
    sigma: toText(positive("sigma", flags.sigma)),
    sensitivity: toText(positive("sensitivity", flags.sensitivity)),
  };
  const details = `${selected} of ${steps.toLocaleString("en")} steps, σ ${flags.sigma}`;
  await answer({ title: "Random allocation", details, of: "rounds" }, event, flags);
}
