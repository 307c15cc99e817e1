import { ratio } from "@lethe/core";
import { comparisonsLaw } from "../../enumerate/enumerate-noise.ts";
import { subject } from "../../subject.ts";
import { pureClaim } from "../../verify/claim.ts";
import type { KnownBad } from "../known-bad.ts";
import { twoOutcomes } from "../two-outcomes.ts";
import { sparseStream } from "./sparse-stream.ts";

const thresholdScale = ratio(2n);

/** One noise for all: two values are told apart for certain when the noisy threshold lies between them. */
export const sparseVector5: KnownBad = {
  id: "sparse-vector-5",
  fault: "the sparse vector compares without noise of its own",
  source: "Stoddard, Chen & Machanavajjhala 2014; Lyu, Su & Li 2017, Alg. 5",
  caughtBy: ["verify", "estimate"],
  subject: () =>
    subject<readonly bigint[]>({
      id: "sparse-vector-5",
      describes: "two comparisons without noise",
      claim: pureClaim(ratio(1n)),
      neighbours: [
        [
          [0n, 1n],
          [1n, 0n],
        ],
      ],
      run: sparseStream({ thresholdScale, comparisonScale: null, cap: null, numbers: false }),
      law: (values) =>
        twoOutcomes(
          comparisonsLaw(
            thresholdScale,
            values.map((value, i) => ({ value, above: i === 1, scale: null })),
            200n,
          ),
        ),
    }),
};
