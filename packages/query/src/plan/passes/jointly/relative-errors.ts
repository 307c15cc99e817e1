import { mostNoises } from "@lethe/core/accuracy";
import { familyOf } from "../../../aggregates/family-of.ts";
import { missing } from "../../../refusals/by-name.ts";
import type { ChosenQuestion, NoiseFamily } from "../noise/choose-mechanisms.ts";
import { weights } from "../spend-loss.ts";
import { measuredBy, selectionWeight } from "../split-loss.ts";
import type { Measured } from "./measured.ts";

/** The squared errors of a question's answers, where the question has a price of 1 that is split as splitLoss does. */
export interface RelativeErrors {
  /** Of counts, sums and averages, in the order of {@link AskedAnswers}. */
  readonly answers: readonly AnswerError[];
  /** Of all else that takes a part of the price: what spreads and quantiles are read from, and the selection of groups. */
  readonly others: readonly number[];
}

export interface AnswerError {
  /** The squared errors where the average lies at {@link places}. */
  readonly squares: readonly number[];
  /** Whether it is read from several measurements that have one noise together. */
  readonly combined: boolean;
}

/** How an answer moves with one total. */
type Slope = readonly [total: string, slope: number];

/** What a question asks of totals, however these are measured. */
export interface AskedAnswers {
  /** How each count, sum and average moves with the totals it is read from, where the average lies at {@link places}. */
  readonly slopes: readonly (readonly (readonly Slope[])[])[];
  /** The totals that are read without saying how the answer moves with them: each is measured by itself. */
  readonly pinned: ReadonlySet<string>;
}

/** Shares of the way from the middle to a bound. */
const places = [0, 1 / 2, 1];

/** Returns what the aggregates of a question ask of its totals. */
export function askedAnswers({ aggregates }: Pick<ChosenQuestion, "aggregates">): AskedAnswers {
  const slopes: (readonly (readonly Slope[])[])[] = [];
  const pinned: string[] = [];
  for (const aggregate of aggregates) {
    const { slopes: slopesOf, measurements } = familyOf(aggregate);
    if (slopesOf) slopes.push(places.map((share) => slopesOf(aggregate, share)));
    else pinned.push(...measurements(aggregate));
  }
  return { slopes, pinned: new Set(pinned) };
}

/** Returns the errors by which two ways to measure one question are compared: each is known but for a factor that is the same in both. */
export function relativeErrors(
  question: ChosenQuestion,
  { slopes, pinned }: AskedAnswers,
  { measurements, joint, combined }: Measured,
  family: NoiseFamily,
): RelativeErrors {
  const { budget, trees } = question;
  const weigh = weights[budget.measure][family];
  const power = family === "laplace" && budget.measure !== "zcdp" ? 2 : 1;
  const listed = measuredBy({ measurements, joint, trees });
  const selection = selectionWeight(question, weigh);
  const whole = listed.reduce(
    (sum, { l1, importance }) => sum + (l1 > 0n ? weigh(importance) : 0),
    selection,
  );
  const variances = new Map<string, number>();
  for (const { name, l1, l2Squared, importance } of listed) {
    const share = weigh(importance) / whole;
    const spread = family === "laplace" ? Number(l1) ** 2 : Number(l2Squared);
    variances.set(name, l1 === 0n ? 0 : spread / share ** power);
  }
  for (const [first, ...later] of joint)
    for (const name of later) variances.set(name, variances.get(first!) ?? Number.NaN);
  const varianceOf = (name: string): number => variances.get(name) ?? missing(name);
  const readFrom = new Map(combined.map((total) => [total.name, total]));
  const squareOf = (slopesOfAnswer: readonly Slope[]): number => {
    const ofMeasured = new Map<string, number>();
    const add = (name: string, slope: number) => ofMeasured.set(name, (ofMeasured.get(name) ?? 0) + slope);
    for (const [total, slope] of slopesOfAnswer) {
      const from = readFrom.get(total);
      if (!from) add(total, slope);
      else
        for (const { measurement, coefficient } of from.terms)
          add(measurement, slope * (Number(coefficient) / Number(from.divisor)));
    }
    // No interval is made of more noises.
    if (ofMeasured.size > mostNoises) return Number.POSITIVE_INFINITY;
    let square = 0;
    for (const [name, slope] of ofMeasured) square += slope ** 2 * varianceOf(name);
    return square;
  };
  return {
    answers: slopes.map((ofPlaces) => ({
      squares: ofPlaces.map(squareOf),
      combined: ofPlaces.some((ofPlace) => ofPlace.some(([total]) => readFrom.has(total))),
    })),
    others: [
      ...[...pinned].map(varianceOf),
      ...trees.map(({ name }) => varianceOf(name)),
      ...(selection > 0 ? [(whole / selection) ** power] : []),
    ],
  };
}
