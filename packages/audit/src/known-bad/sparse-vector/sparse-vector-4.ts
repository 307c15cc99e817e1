import { ratio } from "@lethe/core";
import { comparisonsLaw } from "../../enumerate/enumerate-noise.ts";
import { subject } from "../../subject.ts";
import { pureClaim } from "../../verify/claim.ts";
import type { KnownBad } from "../known-bad.ts";
import { twoOutcomes } from "../two-outcomes.ts";
import { sparseStream } from "./sparse-stream.ts";

const thresholdScale = ratio(4n);
const comparisonScale = ratio(4n, 3n);
const cap = 20;
const reach = 400n;
const alternating = (first: bigint): bigint[] =>
  Array.from({ length: 2 * cap }, (_, i) => (i % 2 === 0 ? first : 1n - first));

/** Up to 20 answers "above", but noise for one: (1 + 6c)/4 times the ε that is claimed. */
export const sparseVector4: KnownBad = {
  id: "sparse-vector-4",
  fault: "the sparse vector's noise does not grow with the number of answers above",
  source: "Lee & Clifton 2014; Lyu, Su & Li 2017, Alg. 4",
  caughtBy: ["verify", "estimate"],
  subject: () =>
    subject<readonly bigint[]>({
      id: "sparse-vector-4",
      describes: "40 comparisons, at most 20 above",
      claim: pureClaim(ratio(1n)),
      neighbours: [[alternating(0n), alternating(1n)]],
      run: sparseStream({ thresholdScale, comparisonScale, cap, numbers: false }),
      // The event: below and above in turns.
      law: (values) =>
        twoOutcomes(
          comparisonsLaw(
            thresholdScale,
            values.map((value, i) => ({ value, above: i % 2 === 1, scale: comparisonScale })),
            reach,
          ),
        ),
    }),
};
