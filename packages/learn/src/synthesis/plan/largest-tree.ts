import { elementAt } from "@lethe/core/numeric";
import type { Shape } from "./shape.ts";

/** Returns the bytes of the largest tree of pairs, each of them with the target: the largest attribute gives each other one its largest pair. */
export function largestTree({ sizes, target }: Shape): number {
  const [largest = 1, ...others] = sizes.filter((_, at) => at !== target).sort((a, b) => b - a);
  const cells = others.length === 0 ? largest : others.reduce((sum, size) => sum + size * largest, 0);
  return 8 * cells * (target === null ? 1 : elementAt(sizes, target));
}
