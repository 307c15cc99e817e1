import { ratio } from "@lethe/core";
import { comparisonsLaw } from "../../enumerate/enumerate-noise.ts";
import { subject } from "../../subject.ts";
import { pureClaim } from "../../verify/claim.ts";
import type { KnownBad } from "../known-bad.ts";
import { twoOutcomes } from "../two-outcomes.ts";
import { sparseStream } from "./sparse-stream.ts";

const scale = ratio(2n);
const questions = 40;
const alternating = (first: bigint): bigint[] =>
  Array.from({ length: questions }, (_, i) => (i % 2 === 0 ? first : 1n - first));

/** Never stops: every answer "above" costs, and no number of them is paid for. */
export const sparseVector6: KnownBad = {
  id: "sparse-vector-6",
  fault: "the sparse vector never stops, however many answers are above",
  source: "Chen, Xiao, Zhang & Xu 2015; Lyu, Su & Li 2017, Alg. 6",
  caughtBy: ["verify", "estimate"],
  subject: () =>
    subject<readonly bigint[]>({
      id: "sparse-vector-6",
      describes: "40 comparisons without an end",
      claim: pureClaim(ratio(1n)),
      neighbours: [[alternating(0n), alternating(1n)]],
      run: sparseStream({ thresholdScale: scale, comparisonScale: scale, cap: null, numbers: false }),
      law: (values) =>
        twoOutcomes(
          comparisonsLaw(
            scale,
            values.map((value, i) => ({ value, above: i % 2 === 1, scale })),
            200n,
          ),
        ),
    }),
};
