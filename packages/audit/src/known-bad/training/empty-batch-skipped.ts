import type { BitSource } from "@lethe/core";
import { subject } from "../../subject.ts";
import { claimOf } from "../../verify/claim.ts";
import { boxMullerDouble } from "../doubles.ts";
import type { KnownBad } from "../known-bad.ts";

const sigma = 4;

/** An empty batch takes no step: the unchanged model says that nobody was drawn. */
export const emptyBatchSkipped: KnownBad = {
  id: "empty-batch-skipped",
  fault: "an empty batch takes no step, not even one of noise",
  source: "a step that many DP-SGD texts leave out",
  caughtBy: ["estimate"],
  subject: () =>
    subject<number>({
      id: "empty-batch-skipped",
      describes: "one noisy step on a sample of nobody or one person",
      claim: claimOf({
        kind: "poisson-sample",
        version: 1,
        rate: "1/2",
        event: { kind: "gaussian", version: 1, sigma: "4", sensitivity: "1" },
      }),
      neighbours: [[0, 1]],
      run(people, bits: BitSource) {
        let batch = 0;
        for (let i = 0; i < people; i += 1) batch += bits.word() & 1;
        return batch === 0 ? [0] : [batch + sigma * boxMullerDouble(bits)];
      },
    }),
};
