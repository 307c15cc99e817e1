import { parseRational } from "@lethe/core";
import { sparseHistogramEvent } from "@lethe/core/mechanisms";
import { zero } from "@lethe/core/numeric";
import { discreteLaplace } from "@lethe/core/samplers";
import { subject } from "../subject.ts";
import { claimOf } from "../verify/claim.ts";
import type { KnownBad } from "./known-bad.ts";
import { reachesLaw } from "./laplace-law.ts";
import { twoOutcomes } from "./two-outcomes.ts";

const setting = { adjacency: "add-or-remove-one", keys: 1n, scale: "1", threshold: 4n } as const;
const scale = parseRational(setting.scale);
const noise = discreteLaplace(scale);

/** δ is priced for counts ≥ 4, and what is strictly above 2 is shown. */
export const thresholdOffByOne: KnownBad = {
  id: "threshold-off-by-one",
  fault: "the threshold that is applied is one below the one that is priced",
  source: "OpenDP #2922: equality kept, while the tail bound was strict",
  caughtBy: ["verify", "estimate"],
  subject: () =>
    subject<bigint>({
      id: "threshold-off-by-one",
      describes: "a key of one unit, shown where its noisy count exceeds 2",
      claim: claimOf(sparseHistogramEvent(setting)),
      neighbours: [[0n, 1n]],
      run: (units, bits) => [units > 0n && units + noise.sample(bits) > setting.threshold - 2n],
      law: (units) =>
        units === 0n ? twoOutcomes({ lo: zero, hi: zero }) : reachesLaw(units, scale, setting.threshold - 1n),
    }),
};
