import { type AddedNoise, linearIntervals, mixedNoise, totalIntervals } from "@lethe/core/accuracy";
import { elementAt } from "@lethe/core/numeric";
import type { Measurement, Plan } from "@lethe/query";
import { named } from "../derive/named.ts";
import { type RowDraws, rowDraws } from "../derive/row-draws.ts";
import { type Range, unitRange } from "../derive/unit-range.ts";
import { type Certificate, type Estimate, isEstimate, type Release } from "../format/release.ts";
import { unitVectors } from "../together/unit-vectors.ts";
import { notMade, type Verdict, verdict } from "./check.ts";

/**
 * Counts and sums are single measurements, so their intervals follow from the noise: value ± q, where the noise stays
 * within ±q with the stated confidence, cut at 0 where no true total lies beyond. Averages and variances rest on noisy
 * sums that are not released, so nobody can derive theirs.
 */
export function intervalsFollow(release: Release): Verdict {
  const { rows, certificate } = release;
  const { plan } = certificate;
  const amiss: string[] = [];
  let derived = 0;
  const noiseOf = rowDraws(release);
  for (const [at, output] of plan.outputs.entries()) {
    const interval = output.kind === "aggregate" ? intervalOf(plan, certificate, output.aggregate) : null;
    if (!interval) continue;
    derived += 1;
    const follows = rows.every((row, place) => {
      const estimate = row[at];
      if (!isEstimate(estimate)) return true;
      const noise = noiseOf(place);
      return noise === null || agrees(estimate, interval(estimate, noise));
    });
    if (!follows) {
      amiss.push(`the intervals of ${output.name} are not those of its noise`);
    }
  }
  if (derived === 0)
    return notMade("no answer is a single measurement, so no interval follows from the noise alone");
  return verdict(amiss, "the intervals of counts and sums are those of the stated noise");
}

type Ends = { readonly lower: number; readonly upper: number };

/** The interval that a value must have in a row that holds this noise. Null for an aggregate made of several measurements. */
function intervalOf(
  plan: Plan,
  { confidence }: Certificate,
  name: string,
): ((cell: Estimate, noise: RowDraws) => Ends) | null {
  const aggregate = named(plan.aggregates, name);
  if (aggregate.kind !== "count" && aggregate.kind !== "sum") return null;
  const [measured, exponent] =
    aggregate.kind === "count" ? [aggregate.count, 0] : [aggregate.sum, aggregate.exponent];
  const parts = partsOf(measured, plan);
  const cut = cutter(parts, plan);
  const known = new Map<string, number>();
  const reachOf = (noise: RowDraws): number => {
    const noises = parts.map(({ measurement }) =>
      mixedNoise(
        noise.map(({ level, draws }) => ({
          draws,
          of: named(measurementsAt(level, plan), measurement).noise,
        })),
      ),
    );
    const reach =
      reachOfParts(
        noises,
        parts.map(({ weight }) => weight),
        confidence,
      ) *
      2 ** exponent;
    if (!Number.isFinite(reach)) throw new RangeError("noise beyond every number");
    return reach;
  };
  return ({ value }, noise) => {
    const drawn = JSON.stringify(noise);
    const reach = known.get(drawn) ?? reachOf(noise);
    known.set(drawn, reach);
    const v = value ?? Number.NaN;
    const nearest = cut(v);
    const centre = Math.abs(nearest - v) > reach ? nearest : v;
    return { lower: cut(centre - reach), upper: cut(centre + reach) };
  };
}

function measurementsAt(level: number, plan: Plan): readonly Measurement[] {
  return level === 0 ? plan.measurements : elementAt(plan.totals ?? [], level - 1).measurements;
}

/** A measurement that a total is read from, and what it is multiplied by. */
export interface Part {
  readonly measurement: string;
  readonly weight: number;
}

/** Returns what a total is read from: the measurement of its name, or those that it combines. */
export function partsOf(total: string, { combined = [] }: Plan): readonly Part[] {
  const found = combined.find(({ name }) => name === total);
  if (!found) return [{ measurement: total, weight: 1 }];
  return found.terms.map(({ measurement, coefficient }) => ({
    measurement,
    weight: Number(coefficient) / Number(found.divisor),
  }));
}

/**
 * Returns how far an integer total may be off: it is the nearest to the parts' sum, so half a step more than their noise where they are no integers. Of a sum of several
 * such totals, whose noises these are together, each was rounded.
 */
export function reachOfParts(
  noises: readonly AddedNoise[],
  weights: readonly number[],
  confidence: number,
  rounded = 1,
): number {
  const [noise, ...others] = noises;
  if (noise && others.length === 0 && weights[0] === 1)
    return Number(totalIntervals({ noise, confidence })(0n).upper);
  const { upper } = linearIntervals({ noises, weights, constant: 0, confidence })(noises.map(() => 0n));
  return Math.floor(weights.every(Number.isInteger) ? upper : upper * (1 + 2 ** -50) + rounded / 2);
}

/** Moves what no sum over units can be to 0. */
export function cutter(parts: readonly Part[], plan: Plan): (x: number) => number {
  const ranges = parts.map(({ measurement, weight }) => {
    const { low, high } = rangeOf(measurement, plan);
    return weight > 0 ? { low, high } : { low: -high, high: -low };
  });
  if (ranges.every(({ low }) => low >= 0n)) return (x) => Math.max(x, 0);
  return ranges.every(({ high }) => high <= 0n) ? (x) => Math.min(x, 0) : (x) => x;
}

/** Returns what one unit can add to a measurement; of one that has its noise with others at the corners of what it can add to all. */
function rangeOf(name: string, plan: Plan): Range {
  const measurement = named(plan.measurements, name);
  if (!plan.joint?.some((names) => names.includes(name))) return unitRange(measurement, plan);
  const values = unitVectors([measurement], plan).flat();
  const [first] = values;
  return values.reduce(({ low, high }, x) => ({ low: x < low ? x : low, high: x > high ? x : high }), {
    low: first ?? 0n,
    high: first ?? 0n,
  });
}

/** Up to the rounding of a few doubles. */
export function agrees({ value, lower, upper }: Estimate, due: Ends): boolean {
  const ulps = 2 ** -50 * (Math.abs(value ?? 0) + Math.abs(due.lower) + Math.abs(due.upper));
  return lower !== null && upper !== null && near(lower, due.lower, ulps) && near(upper, due.upper, ulps);
}

/** False for NaN. */
function near(x: number, y: number, within: number): boolean {
  return Math.abs(x - y) <= within;
}
