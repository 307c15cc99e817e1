import { largestTree } from "./largest-tree.ts";
import type { Shape } from "./shape.ts";

/** Returns the bytes of the tables of all pairs, which are kept beside a tree of them, each pair of it with the target. */
export function allPairs({ sizes, target }: Shape): number {
  const sum = sizes.reduce((total, size) => total + size, 0);
  const squares = sizes.reduce((total, size) => total + size * size, 0);
  const pairs = (sum * sum - squares) / 2;
  return Math.max(8 * Math.max(pairs, sum), target === null ? 0 : largestTree({ sizes, target }));
}
