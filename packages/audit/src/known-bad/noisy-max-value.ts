import { ratio } from "@lethe/core";
import { multiply, one, subtract } from "@lethe/core/numeric";
import { discreteLaplace } from "@lethe/core/samplers";
import { subject } from "../subject.ts";
import { pureClaim } from "../verify/claim.ts";
import type { Enclosure } from "../verify/hockey-stick.ts";
import { discreteLaplaceMass, upperTail } from "../verify/masses.ts";
import type { KnownBad } from "./known-bad.ts";
import { twoOutcomes } from "./two-outcomes.ts";

const scale = ratio(1n);
const candidates = 6;
const most = -1n;
const noise = discreteLaplace(scale);

/** The index of the largest noisy score is paid for; the score itself moves with all of them. */
export const noisyMaxValue: KnownBad = {
  id: "noisy-max-value",
  fault: "report-noisy-max releases the largest noisy score beside its index",
  source: "the counterexample of Ding et al. 2018; a fault of several libraries",
  caughtBy: ["verify", "estimate"],
  subject: () =>
    subject<readonly bigint[]>({
      id: "noisy-max-value",
      describes: "the largest of six noisy counts",
      claim: pureClaim(ratio(1n)),
      neighbours: [[Array<bigint>(candidates).fill(0n), Array<bigint>(candidates).fill(1n)]],
      run(scores, bits) {
        const noisy = scores.map((score) => score + noise.sample(bits));
        const largest = noisy.reduce((a, b) => (a > b ? a : b));
        return [noisy.indexOf(largest), largest];
      },
      // The event: the largest is below 0, so all are.
      law(scores) {
        const mass = discreteLaplaceMass(scale);
        const all = scores.reduce<Enclosure>(
          (product, score) => {
            const above = upperTail(mass, most - score + 1n, 60n);
            return {
              lo: multiply(product.lo, subtract(one, above.hi)),
              hi: multiply(product.hi, subtract(one, above.lo)),
            };
          },
          { lo: one, hi: one },
        );
        return twoOutcomes(all);
      },
    }),
};
