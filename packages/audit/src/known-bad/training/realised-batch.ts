import type { BitSource } from "@lethe/core";
import { uniformBelow } from "@lethe/core/samplers";
import { subject } from "../../subject.ts";
import { claimOf } from "../../verify/claim.ts";
import { boxMullerDouble } from "../doubles.ts";
import type { KnownBad } from "../known-bad.ts";

const sigma = 8;
/** In tenths. */
const rate = 9;

/** One step on a Poisson sample: the sum of clipped gradients (here all 0) plus noise, over the batch's own size. */
export const realisedBatch: KnownBad = {
  id: "realised-batch",
  fault: "the noisy gradient is divided by the size of the batch that was drawn",
  source: "the normaliser of many DP-SGD texts; Opacus #819",
  caughtBy: ["estimate"],
  subject: () =>
    subject<number>({
      id: "realised-batch",
      describes: "one noisy step on a sample of 1 or 2 people",
      claim: claimOf({
        kind: "poisson-sample",
        version: 1,
        rate: "9/10",
        event: { kind: "gaussian", version: 1, sigma: "8", sensitivity: "1" },
      }),
      neighbours: [[1, 2]],
      run(people, bits: BitSource) {
        let batch = 0;
        for (let i = 0; i < people; i += 1) batch += uniformBelow(10n, bits) < rate ? 1 : 0;
        return [(sigma * boxMullerDouble(bits)) / Math.max(1, batch)];
      },
    }),
};
