import { type Rational, ratio, toDouble } from "@lethe/core";
import { divide, sum, zero } from "@lethe/core/numeric";
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
 * The mass of what one neighbour gives and the other cannot, by their exact laws, in the mean over all pairs both ways: what a δ pays for,
 * and what {@link countImpossible} draws of. 0 where a law is not known. As many draws of chances of this mean exceed a number above their
 * own by no more than a binomial's do (Hoeffding 1956).
 * Direction: upper.
 */
export function impossibleMass({ pairs }: Subject): number {
  const both = pairs.flatMap(([left, right]) => [
    [left, right],
    [right, left],
  ]) as [Side, Side][];
  const alone = both.map(([from, to]): Rational => {
    if (from.law === null || to.law === null) return zero;
    const [given, possible] = [from.law(), to.law()];
    if (possible.residual.num > 0n) return zero;
    return sum(
      [...given.masses]
        .filter(([name]) => (possible.masses.get(name)?.hi.num ?? 0n) === 0n)
        .map(([, { hi }]) => hi),
    );
  });
  return toDouble(divide(sum(alone), ratio(BigInt(both.length))), "up");
}
