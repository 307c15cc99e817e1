import type { ScaledSum } from "./scaled-sum.ts";
import type { SumKind } from "./sum-kind.ts";

type Own = "signs" | "rowRange" | "step" | "largest" | "overRows" | "overUnit";

/** Returns the kind of a sum of powers of distances: what all of them have, beside what is each one's own. */
export function scaledSumKind(own: Pick<SumKind<ScaledSum>, Own>): SumKind<ScaledSum> {
  return {
    addsUp: () => true,
    countsUnits: false,
    countsRows: false,
    counted: () => null,
    values: ({ argument, grid }) => [{ argument, grid }],
    kept: () => null,
    unitRange: () => null,
    weighsRows: true,
    mayClamp: () => false,
    ...own,
  };
}
