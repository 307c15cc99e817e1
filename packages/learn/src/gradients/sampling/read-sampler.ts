import type { RationalInput } from "@lethe/core";
import { compare, one, type Rational, rationalOf, toText } from "@lethe/core/numeric";
import { checkInteger, refuse } from "./refusal.ts";
import type { Sampler, SamplerKind } from "./sampler.ts";

/** A sampler as it is asked for. */
export interface SamplerRequest {
  readonly sampler: SamplerKind;
  /** The chance, or the share of the steps, with which a unit is in a step: "1/250", 0.004. For "full" 1, or left out. */
  readonly rate?: RationalInput;
  /** For "truncated-poisson" alone: the largest batch. */
  readonly limit?: number;
  readonly units: number;
  readonly steps: number;
}

/** Samples that are met elsewhere, and what is asked for here instead. */
const otherNames: Readonly<Record<string, string>> = {
  shuffle:
    'ask for sampler: "balls-in-bins", which draws a step for each unit and is priced as what it is; a shuffled list is no Poisson sample',
  "without-replacement": 'ask for sampler: "truncated-poisson" with a limit, or "poisson"',
};

const readers: { readonly [K in SamplerKind]: (request: SamplerRequest) => Sampler } = {
  poisson: (request) => ({ kind: "poisson", rate: toText(rateOf(request)) }),
  "truncated-poisson"(request) {
    const rate = rateOf(request);
    const expected = Number(rate.num * BigInt(request.units)) / Number(rate.den);
    const { limit = Number.NaN, units } = request;
    const least = Math.max(1, Math.ceil(expected));
    checkInteger(
      "limit",
      limit,
      [least, units],
      `give a limit from the expected batch, ${least}, to units, ${units}`,
    );
    return { kind: "truncated-poisson", rate: toText(rate), limit };
  },
  "balls-in-bins"(request) {
    const bins = binsOf(request);
    if (request.steps % bins !== 0) {
      refuse({
        name: "steps",
        value: request.steps,
        condition: `whole passes of ${bins} steps: a pass is priced whole`,
        fix: `give steps: ${Math.ceil(request.steps / bins) * bins}`,
      });
    }
    return { kind: "balls-in-bins", bins };
  },
  cyclic: (request) => ({ kind: "cyclic", bins: binsOf(request) }),
  full({ rate = 1 }) {
    if (compare(rationalOf(rate, "rate"), one) !== 0) {
      refuse({
        name: "rate",
        value: rate,
        condition: "1 where every step sees all units",
        fix: 'leave rate out, or ask for sampler: "poisson"',
      });
    }
    return { kind: "full" };
  },
};

/** Reads a sampler. Errors: parameter.invalid for a rate, limit or number of steps that is not of this sampler. */
export function readSampler(request: SamplerRequest): Sampler {
  const { sampler } = request;
  if (!Object.hasOwn(readers, sampler)) {
    refuse({
      name: "sampler",
      value: sampler,
      condition: `one of ${Object.keys(readers).join(", ")}`,
      fix: otherNames[sampler] ?? 'ask for sampler: "poisson"',
    });
  }
  if (request.limit !== undefined && sampler !== "truncated-poisson") {
    refuse({
      name: "limit",
      value: request.limit,
      condition: `left out for ${sampler}, whose price is that of batches that are not cut`,
      fix: 'leave limit out, or ask for sampler: "truncated-poisson"',
    });
  }
  return readers[sampler](request);
}

function rateOf({ rate, sampler }: SamplerRequest): Rational {
  if (rate === undefined) {
    return refuse({
      name: "rate",
      value: rate,
      condition: `given for ${sampler}`,
      fix: 'give the expected batch over units, such as rate: "1/250"',
    });
  }
  const exact = rationalOf(rate, "rate");
  if (!(exact.num > 0n && compare(exact, one) <= 0)) {
    refuse({
      name: "rate",
      value: rate,
      condition: "above 0 and at most 1",
      fix: 'give the expected batch over units, such as rate: "1/250"',
    });
  }
  return exact;
}

function binsOf(request: SamplerRequest): number {
  const rate = rateOf(request);
  const bins = Number(rate.den);
  if (rate.num !== 1n || !(bins <= 2 ** 31)) {
    const near = Math.max(1, Math.round(Number(rate.den) / Number(rate.num)));
    refuse({
      name: "rate",
      value: request.rate,
      condition: `one over a whole number for ${request.sampler}`,
      fix: `give rate: "1/${Math.min(near, 2 ** 31)}"`,
    });
  }
  return bins;
}
