import { type Adjacency, type Event, eventFromJson } from "@lethe/core";
import type { Noise, Sensitivity, UnitMove } from "@lethe/core/mechanisms";
import { parseRational, type Rational, ratio, sqrtBracket, toText } from "@lethe/core/numeric";
import { refuse } from "./refusal.ts";
import type { Sampler, SamplerKind } from "./sampler.ts";

/** What is said of the steps of a training to price them. */
export interface SampledSteps {
  readonly steps: number;
  readonly units: number;
  readonly noise: Extract<Noise, { readonly mechanism: "rounded-gaussian@1" }>;
  readonly sensitivity: Sensitivity;
}

/** How neighbours move one step of a sampler, where their whole has a proof under this adjacency; else a refusal. */
const moves: { readonly [K in SamplerKind]: (adjacency: Adjacency) => UnitMove } = {
  // In a sample the price of replacing a unit follows from what one unit that comes or goes moves.
  poisson: () => "came-or-went",
  "truncated-poisson": () => "came-or-went",
  "balls-in-bins"(adjacency) {
    if (adjacency === "add-or-remove-one") return "came-or-went";
    return refuse({
      name: "adjacency",
      value: adjacency,
      condition: "add-or-remove-one for balls-in-bins: under replace-one it has no proof here",
      fix: 'ask for adjacency: "add-or-remove-one", or for sampler: "poisson"',
    });
  },
  cyclic: wholeMove,
  full: wholeMove,
};

function wholeMove(adjacency: Adjacency): UnitMove {
  return adjacency === "replace-one" ? "replaced" : "came-or-went";
}

export function unitMove(sampler: Sampler, adjacency: Adjacency): UnitMove {
  return moves[sampler.kind](adjacency);
}

const repeated = (count: number, event: object): object =>
  count === 1 ? event : { kind: "repeat", version: 1, count: `${count}`, event };

/** One step without a sample: an integer vector on the grid with the rounding of a Gaussian on every coordinate. */
const stepEvent = ({ noise, sensitivity }: SampledSteps): object => ({
  kind: "rounded-gaussian",
  version: 1,
  sigma: noise.sigma,
  l2Squared: `${sensitivity.l2Squared}`,
});

const events: {
  readonly [K in SamplerKind]: (sampler: Extract<Sampler, { readonly kind: K }>, run: SampledSteps) => object;
} = {
  poisson: ({ rate }, run) =>
    repeated(run.steps, { kind: "poisson-sample", version: 1, rate, event: stepEvent(run) }),
  "truncated-poisson": ({ rate, limit }, run) =>
    repeated(run.steps, {
      kind: "truncated-poisson-sample",
      version: 1,
      rate,
      population: `${run.units}`,
      limit: `${limit}`,
      event: stepEvent(run),
    }),
  "balls-in-bins": ({ bins }, run) =>
    repeated(run.steps / bins, {
      kind: "random-allocation",
      version: 1,
      steps: `${bins}`,
      selected: "1",
      sigma: run.noise.sigma,
      sensitivity: toText(rootOf(run.sensitivity.l2Squared)),
    }),
  // Correlated noise is one vector over all steps.
  cyclic: (_sampler, run) => stepEvent(run),
  full: (_sampler, run) => repeated(run.steps, stepEvent(run)),
};

/** The record of a whole training: what its price is computed from, and nothing else. */
export function sampledEvent(sampler: Sampler, run: SampledSteps): Event {
  const event = events[sampler.kind] as (sampler: Sampler, run: SampledSteps) => object;
  return eventFromJson(event(sampler, run));
}

/** √x, rounded up where it is no integer. */
function rootOf(x: bigint): Rational {
  const near = BigInt(Math.round(Math.sqrt(Number(x))));
  return near * near === x ? ratio(near) : sqrtBracket(ratio(x), 40).hi;
}

/** The public expected batch: what noisy sums are divided by. */
export function expectedBatch(sampler: Sampler, units: number): Rational {
  if (sampler.kind === "full") return ratio(BigInt(units));
  if (sampler.kind === "balls-in-bins" || sampler.kind === "cyclic")
    return ratio(BigInt(units), BigInt(sampler.bins));
  const rate = parseRational(sampler.rate, "rate");
  return ratio(rate.num * BigInt(units), rate.den);
}
