import { elementAt } from "@lethe/core/numeric";
import { type Cells, cellsOf } from "./jointly/cells.ts";
import { type DisjointBlocks, disjointBlocks, isCountOfAll } from "./jointly/disjoint-blocks.ts";
import type { Measured } from "./jointly/measured.ts";
import { measuredColumns } from "./jointly/measured-column.ts";
import {
  type AskedAnswers,
  askedAnswers,
  type RelativeErrors,
  relativeErrors,
} from "./jointly/relative-errors.ts";
import { withBlocks } from "./jointly/with-blocks.ts";
import { withCells } from "./jointly/with-cells.ts";
import type { ChosenQuestion, NoiseFamily } from "./noise/choose-mechanisms.ts";

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
export const measureJointly: Measures = (question, family) => {
  // What is measured together stands in for at least two measurements.
  if (question.measurements.length < 2 || question.stages.length > 0 || question.question.groupings)
    return question;
  const asked: Asked = { question, ...askedAnswers(question), rowsAddUp: rowsAddUp(question) };
  const errorsOf = (measured: Measured): RelativeErrors => relativeErrors(question, asked, measured, family);
  const alone = errorsOf(question);
  // Of many ways the first that is better is taken, so that the work does not grow with the cube of what is asked.
  const isLong = question.measurements.length > mostCompared;
  const improved = (from: Candidate, ways: Ways): Candidate => {
    let next = from;
    for (const measured of ways(asked, from.measured)) {
      const each = { measured, gain: gainOf(alone, errorsOf(measured)) };
      if (each.gain < next.gain) next = each;
      if (isLong && next !== from) break;
    }
    return next === from ? from : improved(next, ways);
  };
  const start: Candidate = { measured: question, gain: 0 };
  const byColumn = improved(start, ofColumns);
  const { measured } = blocksOf(asked, question).length > 0 ? improvedByConditions() : byColumn;
  return measured === question ? question : { ...question, ...measured };

  // Conditions exclude each other among the cells of columns, too. A total of all rows is counted by the cells of one column, or by all conditions. Where
  // cells by themselves are no better than what they stand in for, all of them as one vector may be.
  function improvedByConditions(): Candidate {
    const firsts = [
      start,
      improved(start, ofPartsOfColumns),
      { measured: withEveryColumn(asked), gain: Number.POSITIVE_INFINITY },
      byColumn,
    ];
    return differentOnes(firsts)
      .map((first) => improved(first, ofConditions))
      .reduce((least, each) => (each.gain < least.gain ? each : least));
  }
};

/** A question with what its answers ask of totals, whatever is measured for it. */
interface Asked extends AskedAnswers {
  readonly question: ChosenQuestion;
  /** Whether a unit's value is the sum of what each of its rows adds. */
  readonly rowsAddUp: boolean;
}

/** The ways to change one thing about what is measured. */
type Ways = (asked: Asked, measured: Measured) => Iterable<Measured>;

/** A question of more measurements than these is long. */
const mostCompared = 24;

interface Candidate {
  readonly measured: Measured;
  /** The logarithm of the product of all answers' errors over those of totals measured alone. */
  readonly gain: number;
}

/** Returns the candidates without those that measure and read the same as an earlier one. */
function differentOnes(candidates: readonly Candidate[]): readonly Candidate[] {
  return candidates.filter(
    ({ measured }, at) => !candidates.slice(0, at).some((each) => areSame(each.measured, measured)),
  );
}

/** Vectors and what is read from them have their names of what they are. */
function areSame(a: Measured, b: Measured): boolean {
  return a === b || (haveSame(a.joint.flat(), b.joint.flat()) && haveSame(namesOf(a), namesOf(b)));
}

function namesOf({ combined }: Measured): readonly string[] {
  return combined.map(({ name }) => name);
}

function haveSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((each, at) => each === b[at]);
}

/** Returns what is measured with the cells of one more column, in every way. */
const ofColumns: Ways = (asked, measured) => cellsOfColumns(asked, measured, () => true);

/** The same without cells that count all rows. */
const ofPartsOfColumns: Ways = (asked, measured) =>
  cellsOfColumns(asked, measured, ({ read }) => !read.some(({ total }) => isCountOfAll(total.sum)));

/** Returns what is measured with the cells of every column whose cells count less than all rows. */
function withEveryColumn(asked: Asked): Measured {
  let measured: Measured = asked.question;
  for (let next: Measured | undefined = measured; next; [next] = ofPartsOfColumns(asked, measured))
    measured = next;
  return measured;
}

function* cellsOfColumns(
  { question, pinned, rowsAddUp }: Asked,
  measured: Measured,
  isWanted: (cells: Cells) => boolean,
): Generator<Measured, void, undefined> {
  for (const column of measuredColumns(question, measured))
    for (const cells of cellsOf(column, rowsAddUp)) {
      const read = cells.read.filter(({ total }) => !pinned.has(total.measurement.name));
      const left: Cells = { ...cells, read };
      if (read.length > 1 && isWanted(left)) yield withCells(question, measured, left);
    }
}

/** Returns what is measured with one more vector of what a row adds to at most one of. */
const ofConditions: Ways = (asked, measured) =>
  blocksOf(asked, measured).flatMap((blocks) => withBlocks(asked.question, measured, blocks) ?? []);

function blocksOf({ pinned, rowsAddUp }: Asked, measured: Measured): readonly DisjointBlocks[] {
  return disjointBlocks(measured, pinned, rowsAddUp);
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
  const isNoisier = before.others.some((square, at) => !(elementAt(after.others, at) <= square * rounding));
  if (isNoisier) return Number.POSITIVE_INFINITY;
  let gain = 0;
  for (const [at, { squares }] of before.answers.entries()) {
    const now = elementAt(after.answers, at);
    for (const [place, square] of squares.entries()) {
      const next = elementAt(now.squares, place);
      if (!(next <= square * (now.combined ? mostOfBefore : rounding))) return Number.POSITIVE_INFINITY;
      if (square > 0) gain += Math.log(next / square);
    }
  }
  return gain;
}
