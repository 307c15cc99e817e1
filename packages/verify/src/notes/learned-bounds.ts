import { parseRational, type Rational, ratio, toDecimal } from "@lethe/core";
import { divide, multiply } from "@lethe/core/numeric";
import { type Plan, writeSql } from "@lethe/query";

/** The bounds that nobody stated, and what it cost to learn them. */
export function* learnedBounds({ learned }: Plan): Iterable<string> {
  for (const stage of learned?.stages ?? []) {
    const [lo, hi] = stage.bounds;
    yield `the bounds of ${writeSql(stage.argument)}, ${lo} to ${hi}, were learned from noisy counts over all groups, for ${costOf(stage)} of the price; intervals do not cover what lies beyond them`;
  }
}

type Stage = NonNullable<Plan["learned"]>["stages"][number];

function costOf({ noise, l1, l2Squared }: Stage): string {
  const shown = (x: Rational): string => toDecimal(x, "up", 6);
  const gaussian = (variance: Rational): string =>
    `ρ ${shown(divide(parseRational(l2Squared), multiply(ratio(2n), variance)))}`;
  switch (noise.mechanism) {
    case "constant@1":
      return "none";
    case "discrete-laplace@1":
      return `ε ${shown(divide(parseRational(l1), parseRational(noise.scale)))}`;
    case "rounded-gaussian@1":
      return gaussian(multiply(parseRational(noise.sigma), parseRational(noise.sigma)));
    case "discrete-gaussian@1":
      return gaussian(parseRational(noise.sigmaSquared));
  }
}
