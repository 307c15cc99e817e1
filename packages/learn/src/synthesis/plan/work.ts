import { elementAt } from "@lethe/core/numeric";
import type { Shape } from "./shape.ts";

/**
 * The work of a plan in visits: one pass's work at one cell of a model. It follows from the plan alone. A processor makes some ten million of them in a second;
 * {@link sampleWork} tells how many this one makes.
 */
export interface Work {
  /** Of usual data. No attribute is taken as merged, so that it is rather too much. */
  readonly expected: number;
  /** Whatever the answers are. */
  readonly most: number;
}

/** Visits that other steps are worth, by the clock. */
export const visitsOf = {
  /** One candidate in one choice. */
  candidate: 25,
  /** One cell of a table whose distance from an estimate is counted. */
  scored: 0.3,
  /** One table in one pass, beside its cells. */
  table: 60,
  /** One table that is measured and read once. */
  measured: 500,
  /** One code of a row that is drawn of a model. */
  drawn: 2,
  /** One row that is looked at for one pair. */
  looked: 0.13,
} as const;

/** Returns the number of pairs, the cells of all of them, and the mean; of all attributes, or of those that are not the target. */
export function pairCells(
  { sizes, target }: Shape,
  others: "all" | "others" = "all",
): { readonly pairs: number; readonly cells: number; readonly mean: number } {
  const taken = others === "all" ? sizes : sizes.filter((_, at) => at !== target);
  const sum = taken.reduce((total, size) => total + size, 0);
  const squares = taken.reduce((total, size) => total + size * size, 0);
  const [pairs, cells] = [(taken.length * (taken.length - 1)) / 2, (sum * sum - squares) / 2];
  return { pairs, cells, mean: pairs > 0 ? cells / pairs : 0 };
}

/** Returns the cells of all attributes by themselves. */
export function singleCells({ sizes }: Shape): number {
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Returns the cells of a tree of pairs whose pairs are of mean size, each with the target. */
export function meanTree(shape: Shape): number {
  const { mean, pairs } = pairCells(shape, "others");
  const { sizes, target } = shape;
  if (pairs === 0) return sizes.reduce((product, size) => product * size, 1);
  const edges = sizes.length - (target === null ? 1 : 2);
  return edges * mean * (target === null ? 1 : elementAt(sizes, target));
}

/** Adds works up. */
export function addWork(...works: readonly Work[]): Work {
  return {
    expected: works.reduce((sum, { expected }) => sum + expected, 0),
    most: works.reduce((sum, { most }) => sum + most, 0),
  };
}

/** Returns work that is the same for all data. */
export function certainWork(visits: number): Work {
  return { expected: visits, most: visits };
}
