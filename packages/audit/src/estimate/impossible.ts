import { SeededSource } from "@lethe/core/tape";
import type { Side, Subject } from "../subject.ts";

/** Outputs drawn on one data set, and how many of them its neighbour cannot give. */
export interface Impossible {
  readonly drawn: number;
  readonly impossible: number;
}

/**
 * Draws outputs on each neighbour and asks of the other whether it can give them. For pure DP any single one that cannot is a proof
 * of infinite loss. Null where a subject cannot tell.
 */
export function countImpossible(
  { pairs }: Subject,
  { seed, samples }: { readonly seed: number; readonly samples: number },
): Impossible | null {
  const bits = new SeededSource(seed);
  const each = Math.ceil(samples / (2 * pairs.length));
  let [drawn, impossible] = [0, 0];
  const draw = (side: Side, canGive: NonNullable<Side["canGive"]>): void => {
    for (let i = 0; i < each; i += 1) {
      drawn += 1;
      if (!canGive(side.run(bits))) impossible += 1;
    }
  };
  for (const [left, right] of pairs) {
    if (left.canGive === null || right.canGive === null) return null;
    draw(left, right.canGive);
    draw(right, left.canGive);
  }
  return { drawn, impossible };
}
