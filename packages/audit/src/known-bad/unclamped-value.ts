import { ratio } from "@lethe/core";
import { discreteLaplace } from "@lethe/core/samplers";
import { subject } from "../subject.ts";
import { pureClaim } from "../verify/claim.ts";
import { type KnownBad, noisySum } from "./known-bad.ts";

const noise = discreteLaplace(ratio(10n));
const clamp = (value: bigint): bigint => (value < 0n ? 0n : value > 10n ? 10n : value);

/** Checks that the clamped values fit the bounds, then adds up the raw ones. */
export const unclampedValue: KnownBad = {
  id: "unclamped-value",
  fault: "values are clamped for the check, and the raw ones are added",
  source: "M7: an output that depends on an unclipped value",
  caughtBy: ["replay", "estimate"],
  subject: () =>
    subject<readonly bigint[]>({
      id: "unclamped-value",
      describes: "a sum of values clamped to [0, 10]",
      claim: pureClaim(ratio(1n)),
      neighbours: [[[4n], [4n, 1000n]]],
      run(values, bits) {
        const clamped = values.map(clamp);
        if (clamped.some((value) => value > 10n)) return [];
        return [values.reduce((a, b) => a + b, 0n) + noise.sample(bits)];
      },
    }),
  program: {
    run: noisySum(10n, (values) => [values.reduce((a, b) => a + b, 0n)]),
    neighbours: [[[4n], [4n, 1000n]]],
  },
};
