import { elementAt } from "@lethe/core/numeric";
import { familyOf } from "../../aggregates/family-of.ts";
import { missing } from "../../refusals/by-name.ts";
import type { ChosenQuestion, NoiseFamily } from "./choose-mechanisms.ts";
import { type Cells, cellsOf } from "./jointly/cells.ts";
import { measuredColumns } from "./jointly/measured-column.ts";
import { type RelativeErrors, relativeErrors } from "./jointly/relative-errors.ts";
import { withCells } from "./jointly/with-cells.ts";

/** Chooses what is measured for a question, for one kind of noise. */
export type Measures = (asked: ChosenQuestion, family: NoiseFamily) => ChosenQuestion;

/** Every total is measured by itself: as in a workload, where what is made of the answers takes their noises for independent. */
export const measureAlone: Measures = (asked) => asked;

/**
 * Returns the question with counts, sums and averages of a column measured together, wherever that makes no answer noisier and all of them less noisy
 * on the whole: of the ways to do so that for which the errors multiply to the least, column by column. Spreads, quantiles and whatever else is read
 * from measurements of its own stay as they are; so do questions whose bounds are learned, and those of several groupings, whose totals are the sums
 * of their groups to the last digit.
 */
export const measureJointly: Measures = (asked, family) => {
  if (asked.stages.length > 0 || asked.question.groupings) return asked;
  const alone = relativeErrors(asked, family);
  let best: Candidate = { question: asked, gain: 0 };
  for (;;) {
    const from = best;
    const next = candidates(asked, from.question)
      .map((question) => ({ question, gain: gainOf(alone, relativeErrors(question, family)) }))
      .reduce((least, each) => (each.gain < least.gain ? each : least), from);
    if (next === from) return best.question;
    best = next;
  }
};

interface Candidate {
  readonly question: ChosenQuestion;
  /** The logarithm of the product of all answers' errors over those of totals measured alone. */
  readonly gain: number;
}

/** Returns the question with the cells of one more column, in every way. */
function candidates(asked: ChosenQuestion, question: ChosenQuestion): readonly ChosenQuestion[] {
  const { unit, contribution } = question;
  const rowsAddUp = unit.kind === "row" || contribution.limit === "rows-before-filter";
  // What an answer reads without saying how it moves with it is measured by itself.
  const pinned = new Set(
    question.aggregates.flatMap((aggregate) => {
      const { slopes, measurements } = familyOf(aggregate);
      return slopes ? [] : measurements(aggregate);
    }),
  );
  return measuredColumns(question)
    .flatMap((column) => cellsOf(column, rowsAddUp))
    .map(
      (cells): Cells => ({
        ...cells,
        read: cells.read.filter(({ total }) => !pinned.has(total.measurement.name)),
      }),
    )
    .filter(({ read }) => read.length > 1)
    .map((cells) => ({ ...question, ...withCells(asked, question, cells) }));
}

/**
 * An answer that is read from several noises must have at most this much of its squared error before: their sum has another law than one noise, and no
 * interval shall be wider than it was.
 */
const mostOfBefore = 0.94;
const rounding = 1 + 1e-9;

/** Returns the gain of other errors; infinite where an answer would be noisier. */
function gainOf(before: RelativeErrors, after: RelativeErrors): number {
  const isNoisier = [...before.others].some(
    ([name, square]) => !((after.others.get(name) ?? Number.NaN) <= square * rounding),
  );
  if (isNoisier) return Number.POSITIVE_INFINITY;
  let gain = 0;
  for (const [name, { squares }] of before.answers) {
    const now = after.answers.get(name) ?? missing(name);
    for (const [place, square] of squares.entries()) {
      const next = elementAt(now.squares, place);
      if (!(next <= square * (now.combined ? mostOfBefore : rounding))) return Number.POSITIVE_INFINITY;
      if (square > 0) gain += Math.log(next / square);
    }
  }
  return gain;
}
