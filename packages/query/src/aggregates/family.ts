import type { TimeType } from "../expressions/calendar/times.ts";
import type { AnswerSetting } from "./answers/answer-setting.ts";
import type { Estimator } from "./answers/estimator.ts";
import type { JointAnswers, Part } from "./answers/interval-part.ts";
import type { Total } from "./answers/total.ts";
import type { TreeReading } from "./answers/tree-reading.ts";
import type { Widths } from "./answers/widths.ts";
import type { BoundsForm, CallForm } from "./call-form.ts";
import type { Measurer } from "./measurer.ts";
import type { PostExpression } from "./post-expression.ts";

/** The types of a family of aggregates: as a question asks it, as a plan answers it, and the sums that only it brings. */
export interface FamilyTypes {
  readonly asked: { readonly kind: string };
  readonly planned: { readonly kind: string };
  readonly sum: { readonly kind: string };
}

/** All that is known of one family of aggregates. Shared code asks this for the property that it needs. */
export interface AggregateFamily<T extends FamilyTypes> {
  /** The names that people call it by, and what each makes of its call. */
  readonly calls: Readonly<Record<string, CallForm>>;
  /** The bounds that its calls may state. */
  readonly bounds: BoundsForm;
  /** Returns how it names itself, with its argument, among the alternatives of a question. */
  describe(asked: T["asked"], argument: string): string;
  /** The type of time that its numbers stand for; undefined for numbers. */
  time(asked: T["asked"]): TimeType | undefined;
  /** Whether its answers are numbers of rows, units or values. */
  readonly isCount: boolean;
  /** Whether its error is set by how far bounds lie from 0, not by how far they lie apart. */
  readonly errorIsBySize: boolean;
  /** Returns the name of such answers in the plural where a total over groups is not the sum of their measurements; null where it is. */
  notAddedUp(asked: T["asked"]): string | null;
  /** Returns the aggregate as SQL that is read back as the same aggregate; also its identity. `unit` is the unit's column as SQL. */
  write(asked: T["asked"], unit: string): string;
  /** Measures what the aggregate is read from. Errors: query.missing-bounds, query.type, query.option. */
  measure(asked: T["asked"], measurer: Measurer): T["planned"];
  /** Returns the names of the totals, measured or combined, that an answer is made of. */
  measurements(planned: T["planned"]): readonly string[];
  /**
   * Returns how far the answer moves with each of its totals, up to a common factor, where its average lies at this share of the way from the middle to a
   * bound. Absent where its totals cannot be read from others.
   */
  slopes?(planned: T["planned"], share: number): readonly (readonly [total: string, slope: number])[];
  /** Returns the answer as one total; null where it is no sum or count. */
  total(planned: T["planned"]): Total | null;
  /** Returns what is read from a tree; null for what no tree answers. */
  reading(planned: T["planned"]): TreeReading | null;
  /** Returns the measurement whose sums read the values; null where none is summed. */
  valuesIn(planned: T["planned"]): string | null;
  /** Whether the width of its interval follows from the noise and the number of rows, wherever values lie. */
  readonly widthIsKnown: boolean;
  /** Returns the width that the interval will have. */
  widths(planned: T["planned"], setting: AnswerSetting): Widths;
  /** Returns the most that one row adds to a total, in absolute value, in the question's units; null for what is no total. */
  largestTerm(planned: T["planned"], setting: AnswerSetting): number | null;
  /** Returns what turns noisy integers into the answer and its interval; what does not depend on them is computed once. */
  estimator(planned: T["planned"], setting: AnswerSetting): Estimator;
  /** Returns a part of a computed column whose answers have one noise together; null for every other expression. */
  joint?(expression: PostExpression, answers: JointAnswers): Part | null;
  /** Returns the effect that values beyond their bounds have on the aggregate of the column of this name. */
  biasNote(planned: T["planned"], name: string): string;
}
