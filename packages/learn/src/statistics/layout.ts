import type { Category } from "../model/model.ts";

/** The questions that give every sum a model needs, and what their answers stand for. A function of model and policy alone; JSON throughout. */
export interface Layout {
  readonly numbers: readonly EncodedNumber[];
  readonly blocks: readonly Block[];
  readonly questions: readonly StatisticsQuestion[];
}

/** A number x as z = (x − middle)/half, which lies in [−1, 1]. */
export interface EncodedNumber {
  readonly name: string;
  readonly middle: number;
  readonly half: number;
}

/** A column with public categories: one indicator each, exactly one of which is 1 in every row. */
export interface Block {
  readonly name: string;
  readonly categories: readonly Category[];
}

/** A question in Lethe's SQL. Its answer has the keys' columns, then one column for each value. */
export interface StatisticsQuestion {
  readonly text: string;
  /** The blocks that it is grouped by. */
  readonly keys: readonly number[];
  /** The numbers that are multiplied in each sum; none for COUNT(*). */
  readonly values: readonly (readonly number[])[];
}
