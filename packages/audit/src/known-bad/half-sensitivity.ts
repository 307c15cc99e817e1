import { ratio } from "@lethe/core";
import { discreteLaplace } from "@lethe/core/samplers";
import { subject } from "../subject.ts";
import { pureClaim } from "../verify/claim.ts";
import { type KnownBad, noisySum } from "./known-bad.ts";
import { reachesLaw } from "./laplace-law.ts";

const noise = discreteLaplace(ratio(10n));
const sum = (values: readonly bigint[]): bigint => values.reduce((a, b) => a + b, 0n);

/** Replacing a value in [−10, 10] moves a sum by 20; noise is for 10. */
export const halfSensitivity: KnownBad = {
  id: "half-sensitivity",
  fault: "noise for half the distance that one replaced value moves the sum",
  source: "the distance between the bounds was forgotten; diffprivlib #104",
  caughtBy: ["verify", "replay", "estimate"],
  subject: () =>
    subject<readonly bigint[]>({
      id: "half-sensitivity",
      describes: "a sum of values in [−10, 10], one replaced",
      claim: pureClaim(ratio(1n)),
      neighbours: [
        [
          [3n, -10n],
          [3n, 10n],
        ],
      ],
      run: (values, bits) => [sum(values) + noise.sample(bits)],
      law: (values) => reachesLaw(sum(values), ratio(10n), 13n),
    }),
  program: {
    run: noisySum(10n, (values) => [sum(values)]),
    neighbours: [
      [
        [3n, -10n],
        [3n, 10n],
      ],
    ],
  },
};
