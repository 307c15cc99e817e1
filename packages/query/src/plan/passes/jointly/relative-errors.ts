import { mostNoises } from "@lethe/core/accuracy";
import { familyOf } from "../../../aggregates/family-of.ts";
import { missing } from "../../../refusals/by-name.ts";
import { combinedTotal, totalParts } from "../../together/combined-total.ts";
import type { ChosenQuestion, NoiseFamily } from "../choose-mechanisms.ts";
import { weights } from "../spend-loss.ts";
import { measuredBy, selectionWeight } from "../split-loss.ts";

/** The squared errors of a question's answers, where the question has a price of 1 that is split as splitLoss does. */
export interface RelativeErrors {
  /** Of counts, sums and averages, by the name of the aggregate. */
  readonly answers: ReadonlyMap<string, AnswerError>;
  /** Of all else that takes a part of the price: what spreads and quantiles are read from, and the selection of groups. */
  readonly others: ReadonlyMap<string, number>;
}

export interface AnswerError {
  /** The squared errors where the average lies at {@link places}. */
  readonly squares: readonly number[];
  /** Whether it is read from several measurements that have one noise together. */
  readonly combined: boolean;
}

/** Shares of the way from the middle to a bound. */
const places = [0, 1 / 2, 1];

/** Returns the errors by which two ways to measure one question are compared: each is known but for a factor that is the same in both. */
export function relativeErrors(question: ChosenQuestion, family: NoiseFamily): RelativeErrors {
  const { budget, trees, joint, aggregates } = question;
  const weigh = weights[budget.measure][family];
  const power = family === "laplace" && budget.measure !== "zcdp" ? 2 : 1;
  const measured = measuredBy(question);
  const selection = selectionWeight(question, weigh);
  const whole = measured.reduce(
    (sum, { l1, importance }) => sum + (l1 > 0n ? weigh(importance) : 0),
    selection,
  );
  const variances = new Map(
    measured.map(({ name, l1, l2Squared, importance }) => {
      const share = weigh(importance) / whole;
      const spread = family === "laplace" ? Number(l1) ** 2 : Number(l2Squared);
      return [name, l1 === 0n ? 0 : spread / share ** power] as const;
    }),
  );
  for (const [first, ...later] of joint)
    for (const name of later) variances.set(name, variances.get(first!) ?? Number.NaN);
  const answers = new Map<string, AnswerError>();
  const others = new Map<string, number>();
  const varianceOf = (name: string): number => variances.get(name) ?? missing(name);
  const squareOf = (slopes: readonly (readonly [string, number])[]): number => {
    const ofMeasured = new Map<string, number>();
    for (const [total, slope] of slopes)
      for (const { measurement, weight } of totalParts(question, total))
        ofMeasured.set(measurement, (ofMeasured.get(measurement) ?? 0) + slope * weight);
    const errors = [...ofMeasured].map(([name, slope]) => slope ** 2 * varianceOf(name));
    // No interval is made of more noises.
    return errors.length > mostNoises
      ? Number.POSITIVE_INFINITY
      : errors.reduce((sum, error) => sum + error, 0);
  };
  for (const aggregate of aggregates) {
    const { slopes, measurements } = familyOf(aggregate);
    if (!slopes) {
      for (const name of measurements(aggregate)) others.set(name, varianceOf(name));
      continue;
    }
    const squares = places.map((share) => squareOf(slopes(aggregate, share)));
    const combined = slopes(aggregate, 1).some(([total]) => combinedTotal(question, total) !== undefined);
    answers.set(aggregate.name, { squares, combined });
  }
  for (const { name } of trees) others.set(name, varianceOf(name));
  if (selection > 0) others.set("", (whole / selection) ** power);
  return { answers, others };
}
