import { LetheError } from "@lethe/core";
import { elementAt } from "@lethe/core/numeric";
import { columnsOf } from "../model/missing-rows.ts";
import type { CategoryColumn, Model, ModelColumn, NumberColumn } from "../model/model.ts";
import type { Block, EncodedNumber, Layout, StatisticsQuestion } from "./layout.ts";
import { questionText } from "./question-text.ts";

/**
 * Lists the questions of a model. A GROUP BY measures a whole block at the sensitivity of one cell, since a row is in one cell alone; the
 * parts' sensitivities add up to that of the whole vector under add-or-remove (./statistics.proof.md). Errors: model.invalid for over 10,000 sums, or
 * 2,000 equations between them.
 */
export function layoutOf(model: Model): Layout {
  return layoutOfColumns(columnsOf(model), groupingsOf(model), model);
}

/** Lists the questions that measure these groupings of columns over the rows of a source. Errors: those of {@link layoutOf}. */
export function layoutOfColumns(
  columns: readonly ModelColumn[],
  groupings: readonly Grouping[],
  { source, where }: Pick<Model, "source" | "where">,
): Layout {
  const numbers = columns.filter((column) => column.kind === "number").map(encodedNumber);
  const blocks = columns.filter((column) => column.kind === "category").map(blockOf);
  const shape = { columns, numbers, blocks, source, where };
  demandFewSums(groupings, blocks);
  const questions = groupings
    .flatMap(inQuestions)
    .map((grouping): StatisticsQuestion => ({ text: questionText(shape, grouping), ...grouping }));
  return { numbers, blocks, questions };
}

/** The most columns that a question of Lethe may have. */
const mostColumns = 100;

/** Splits a grouping of many sums into several questions with the same keys. */
function inQuestions({ keys, values }: Grouping): readonly Grouping[] {
  const most = mostColumns - keys.length;
  const starts = Array.from({ length: Math.ceil(values.length / most) }, (_, at) => at * most);
  return starts.map((start) => ({ keys, values: values.slice(start, start + most) }));
}

/** The most sums that one model may ask for: the noise of each is kept in memory. */
const mostSums = 10_000;
/**
 * The most equations between sums that several questions measured. Making the sums agree takes time with the cube of their number: about 6 s
 * for 2,000 of them.
 */
const mostEquations = 2_000;

function demandFewSums(asked: readonly Grouping[], blocks: readonly Block[]): void {
  const total = (of: (sizes: readonly number[], values: number) => number): number =>
    asked.reduce(
      (all, { keys, values }) =>
        all +
        of(
          keys.map((block) => elementAt(blocks, block).categories.length),
          values.length,
        ),
      0,
    );
  const sums = total((sizes, values) => sizes.reduce((cells, size) => cells * size, values));
  // Each table agrees with others in its total, and in its margins where it has two keys.
  const equations = total(
    (sizes, values) => values * (1 + (sizes.length < 2 ? 0 : sizes.reduce((all, size) => all + size, 0))),
  );
  demandFew("sums", sums, mostSums);
  demandFew("equations between sums", equations, mostEquations);
}

function demandFew(what: string, needed: number, most: number): void {
  if (needed <= most) return;
  throw new LetheError("model.invalid", `the model needs ${needed} ${what}, and may need ${most}`, {
    fix: "take fewer features, or columns with fewer categories",
  });
}

export type Grouping = Omit<StatisticsQuestion, "text">;

/**
 * Regression, covariance and PCA: moments of order two of numbers and indicators. Naive Bayes: within each class counts, sums and squares,
 * and the counts of each feature's categories. Marginals: the counts that were asked for.
 */
export function groupingsOf(model: Model): readonly Grouping[] {
  const { task } = model;
  const columns = columnsOf(model);
  const blocks = columns.filter((column) => column.kind === "category");
  const numbers = columns.length - blocks.length;
  const singles = places(numbers).map((i) => [i]);
  const pairs = places(blocks.length).flatMap((a) =>
    places(blocks.length)
      .slice(a + 1)
      .map((b) => [a, b]),
  );
  const count: readonly number[] = [];
  switch (task.kind) {
    case "naive-bayes":
      // The target comes first.
      return [
        { keys: [0], values: [count, ...singles, ...places(numbers).map((i) => [i, i])] },
        ...places(blocks.length)
          .slice(1)
          .map((block) => ({ keys: [0, block], values: [count] })),
      ];
    case "marginals":
      return task.marginals.map((columns) => ({
        keys: columns.map(({ name }) => blocks.findIndex((block) => block.name === name)),
        values: [count],
      }));
    default: {
      const products = places(numbers).flatMap((i) =>
        places(numbers)
          .slice(i)
          .map((j) => [i, j]),
      );
      return [
        { keys: [], values: [count, ...singles, ...products] },
        ...places(blocks.length).map((block) => ({ keys: [block], values: [count, ...singles] })),
        ...pairs.map((keys) => ({ keys, values: [count] })),
      ];
    }
  }
}

function places(length: number): readonly number[] {
  return Array.from({ length }, (_, place) => place);
}

/** A number as z = (x − middle)/half, within [−1, 1]. */
export function encodedNumber({ name, bounds: [lo, hi] }: NumberColumn): EncodedNumber {
  const middle = lo / 2 + hi / 2;
  return { name, middle, half: Math.max(hi - middle, middle - lo) };
}

function blockOf({ name, categories }: CategoryColumn): Block {
  return { name, categories };
}

/** Returns every combination of categories of a grouping's blocks, as places. */
export function cellsOf(keys: readonly number[], blocks: readonly Block[]): readonly (readonly number[])[] {
  return keys.reduce<readonly (readonly number[])[]>(
    (cells, block) =>
      cells.flatMap((cell) => elementAt(blocks, block).categories.map((_, category) => [...cell, category])),
    [[]],
  );
}
