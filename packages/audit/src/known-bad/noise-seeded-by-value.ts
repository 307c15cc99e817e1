import { ratio } from "@lethe/core";
import { discreteLaplace } from "@lethe/core/samplers";
import { SeededSource } from "@lethe/core/tape";
import { subject } from "../subject.ts";
import { pureClaim } from "../verify/claim.ts";
import type { KnownBad } from "./known-bad.ts";

const noise = discreteLaplace(ratio(1n));

/** Two disjoint counts; equal ones get the same noise, so it shows whether they are equal. */
export const noiseSeededByValue: KnownBad = {
  id: "noise-seeded-by-value",
  fault: "noise drawn from a seed and the value, so equal counts get equal noise",
  source: "cwida/pac: noise keyed by (seed, value)",
  caughtBy: ["estimate"],
  subject: () =>
    subject<readonly bigint[]>({
      id: "noise-seeded-by-value",
      describes: "two counts, equal or one apart",
      claim: pureClaim(ratio(1n)),
      neighbours: [
        [
          [50n, 50n],
          [50n, 51n],
        ],
      ],
      run(counts, bits) {
        const seed = bits.word();
        return counts.map(
          (count) => count + noise.sample(new SeededSource(seed ^ (Number(count) * 0x9e3779b1))),
        );
      },
    }),
};
