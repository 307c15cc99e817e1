import type { BitSource } from "@lethe/core";
import { uniformBelow } from "@lethe/core/samplers";
import { subject } from "../../subject.ts";
import { claimOf } from "../../verify/claim.ts";
import { boxMullerDouble } from "../doubles.ts";
import type { KnownBad } from "../known-bad.ts";

const steps = 4;
const sigma = 0.3;

/** One epoch over a shuffled list: everybody is in exactly one batch, where Poisson sampling may leave a person out. */
export const shuffledAsPoisson: KnownBad = {
  id: "shuffled-as-poisson",
  fault: "batches of a shuffled list are accounted as Poisson samples",
  source: "Chua et al. 2024; Annamalai et al. 2024; Opacus #813",
  caughtBy: ["estimate"],
  subject: () =>
    subject<boolean>({
      id: "shuffled-as-poisson",
      describes: "four steps of an epoch over four batches, with one person or without",
      claim: claimOf({
        kind: "repeat",
        version: 1,
        count: steps.toString(),
        event: {
          kind: "poisson-sample",
          version: 1,
          rate: "1/4",
          event: { kind: "gaussian", version: 1, sigma: "3/10", sensitivity: "1" },
        },
      }),
      neighbours: [[false, true]],
      run(present, bits: BitSource) {
        const own = Number(uniformBelow(BigInt(steps), bits));
        return Array.from(
          { length: steps },
          (_, step) => (present && step === own ? 1 : 0) + sigma * boxMullerDouble(bits),
        );
      },
    }),
};
