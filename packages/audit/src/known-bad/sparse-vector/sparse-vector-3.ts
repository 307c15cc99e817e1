import { ratio } from "@lethe/core";
import { elementAt, multiply } from "@lethe/core/numeric";
import { comparisonsLaw } from "../../enumerate/enumerate-noise.ts";
import { subject } from "../../subject.ts";
import { pureClaim } from "../../verify/claim.ts";
import { discreteLaplaceMass } from "../../verify/masses.ts";
import type { KnownBad } from "../known-bad.ts";
import { twoOutcomes } from "../two-outcomes.ts";
import { sparseStream } from "./sparse-stream.ts";

const scale = ratio(2n);
const below = 12;
const reach = 200n;

/** Tells the noisy value that it compared: so small a value says that the noisy threshold lay below all that were passed over. */
export const sparseVector3: KnownBad = {
  id: "sparse-vector-3",
  fault: "the sparse vector releases the noisy value that it compared with the threshold",
  source: "Roth's lecture notes 2011; Lyu, Su & Li 2017, Alg. 3",
  caughtBy: ["verify"],
  subject: () =>
    subject<readonly bigint[]>({
      id: "sparse-vector-3",
      describes: "12 comparisons below the threshold, and one above with its number",
      claim: pureClaim(ratio(1n)),
      neighbours: [[Array<bigint>(below + 1).fill(0n), Array<bigint>(below).fill(1n).concat(0n)]],
      run: sparseStream({ thresholdScale: scale, comparisonScale: scale, cap: 1, numbers: true }),
      // The event: all are below, then the number 0 is told.
      law(values) {
        const { lo, hi } = comparisonsLaw(
          scale,
          [
            ...values.slice(0, below).map((value) => ({ value, above: false, scale })),
            { value: 0n, above: true, scale: null },
          ],
          reach,
        );
        const told = discreteLaplaceMass(scale).at(-elementAt(values, below));
        return twoOutcomes({ lo: multiply(lo, told.lo), hi: multiply(hi, told.hi) });
      },
    }),
};
