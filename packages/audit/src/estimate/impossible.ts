import { sum, toDouble } from "@lethe/core";
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

/**
 * The mass of what one neighbour gives and the other cannot, by their exact laws, at most over all pairs both ways: what a δ pays for. 0
 * where a law is not known.
 */
export function impossibleMass({ pairs }: Subject): number {
  const both = pairs.flatMap(([left, right]) => [
    [left, right],
    [right, left],
  ]) as [Side, Side][];
  return Math.max(
    ...both.map(([from, to]) => {
      if (from.law === null || to.law === null) return 0;
      const [given, possible] = [from.law(), to.law()];
      if (possible.residual.num > 0n) return 0;
      const alone = [...given.masses].filter(([name]) => (possible.masses.get(name)?.hi.num ?? 0n) === 0n);
      return toDouble(sum(alone.map(([, { hi }]) => hi)), "up");
    }),
  );
}
