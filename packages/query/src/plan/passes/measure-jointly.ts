import { elementAt } from "@lethe/core/numeric";
import { familyOf } from "../../aggregates/family-of.ts";
import { missing } from "../../refusals/by-name.ts";
import type { ChosenQuestion, NoiseFamily } from "./choose-mechanisms.ts";
import { type Cells, cellsOf } from "./jointly/cells.ts";
import { disjointBlocks, isCountOfAll } from "./jointly/disjoint-blocks.ts";
import { measuredColumns } from "./jointly/measured-column.ts";
import { type RelativeErrors, relativeErrors } from "./jointly/relative-errors.ts";
import { withBlocks } from "./jointly/with-blocks.ts";
import { withCells } from "./jointly/with-cells.ts";

/** Chooses what is measured for a question, for one kind of noise. */
export type Measures = (asked: ChosenQuestion, family: NoiseFamily) => ChosenQuestion;

/** Every total is measured by itself: as in a workload, where what is made of the answers takes their noises for independent. */
export const measureAlone: Measures = (asked) => asked;

/**
 * Returns the question with counts, sums and averages of a column measured together, and those of conditions of which a row meets at most one, wherever
 * that makes no answer noisier and all of them less noisy on the whole: of the ways to do so that for which the errors multiply to the least, step by
 * step. Spreads, quantiles and whatever else is read from measurements of its own stay as they are; so do questions whose bounds are learned, and those
 * of several groupings, whose totals are the sums of their groups to the last digit.
 */
export const measureJointly: Measures = (asked, family) => {
  if (asked.stages.length > 0 || asked.question.groupings) return asked;
  const alone = relativeErrors(asked, family);
  // Of many ways the first that is better is taken, so that the work does not grow with the cube of what is asked.
  const isLong = asked.measurements.length > mostCompared;
  const improved = (from: Candidate, ways: Ways): Candidate => {
    let next = from;
    for (const question of ways(asked, from.question)) {
      const each = { question, gain: gainOf(alone, relativeErrors(question, family)) };
      if (each.gain < next.gain) next = each;
      if (isLong && next !== from) break;
    }
    return next === from ? from : improved(next, ways);
  };
  const start: Candidate = { question: asked, gain: 0 };
  const byColumn = improved(start, ofColumns);
  if (!isDisjoint(asked)) return byColumn.question;
  // Conditions exclude each other among the cells of columns, too. A total of all rows is counted by the cells of one column, or by all conditions. Where
  // cells by themselves are no better than what they stand in for, all of them as one vector may be.
  const firsts = [
    start,
    improved(start, ofPartsOfColumns),
    { question: withEveryColumn(asked), gain: Number.POSITIVE_INFINITY },
    byColumn,
  ];
  return firsts
    .map((first) => improved(first, ofConditions))
    .reduce((least, each) => (each.gain < least.gain ? each : least)).question;
};

/** The ways to change one thing about what is measured. */
type Ways = (asked: ChosenQuestion, question: ChosenQuestion) => Iterable<ChosenQuestion>;

/** A question of more measurements than these is long. */
const mostCompared = 24;

interface Candidate {
  readonly question: ChosenQuestion;
  /** The logarithm of the product of all answers' errors over those of totals measured alone. */
  readonly gain: number;
}

/** Returns the question with the cells of one more column, in every way. */
const ofColumns: Ways = (asked, question) => cellsOfColumns(asked, question, () => true);

/** The same without cells that count all rows. */
const ofPartsOfColumns: Ways = (asked, question) =>
  cellsOfColumns(asked, question, ({ read }) => !read.some(({ total }) => isCountOfAll(total.sum)));

/** Returns the question with the cells of every column whose cells count less than all rows. */
function withEveryColumn(asked: ChosenQuestion): ChosenQuestion {
  let question = asked;
  for (let next: ChosenQuestion | undefined = asked; next; [next] = ofPartsOfColumns(asked, question))
    question = next;
  return question;
}

function* cellsOfColumns(
  asked: ChosenQuestion,
  question: ChosenQuestion,
  isWanted: (cells: Cells) => boolean,
): Generator<ChosenQuestion, void, undefined> {
  // What an answer reads without saying how it moves with it is measured by itself.
  const pinned = new Set(
    question.aggregates.flatMap((aggregate) => {
      const { slopes, measurements } = familyOf(aggregate);
      return slopes ? [] : measurements(aggregate);
    }),
  );
  for (const column of measuredColumns(question))
    for (const cells of cellsOf(column, rowsAddUp(question))) {
      const read = cells.read.filter(({ total }) => !pinned.has(total.measurement.name));
      const left: Cells = { ...cells, read };
      if (read.length > 1 && isWanted(left)) yield { ...question, ...withCells(asked, question, left) };
    }
}

/** Returns the question with one more vector of what a row adds to at most one of. */
const ofConditions: Ways = (_, question) =>
  disjointBlocks(question, rowsAddUp(question)).flatMap((blocks) => {
    const next = withBlocks(question, blocks);
    return next ? [{ ...question, ...next }] : [];
  });

function isDisjoint(question: ChosenQuestion): boolean {
  return disjointBlocks(question, rowsAddUp(question)).length > 0;
}

/** Whether a unit's value is the sum of what each of its rows adds. */
function rowsAddUp({ unit, contribution }: ChosenQuestion): boolean {
  return unit.kind === "row" || contribution.limit === "rows-before-filter";
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
