import { ratio } from "@lethe/core";
import { zero } from "@lethe/core/numeric";
import { discreteLaplace } from "@lethe/core/samplers";
import { subject } from "../subject.ts";
import { pureClaim } from "../verify/claim.ts";
import type { KnownBad } from "./known-bad.ts";
import { reachesLaw } from "./laplace-law.ts";
import { twoOutcomes } from "./two-outcomes.ts";

const threshold = 4n;
const noise = discreteLaplace(ratio(1n));

/** A key that one person alone has is sometimes shown: that costs a δ, and pure DP is claimed. */
export const droppedDelta: KnownBad = {
  id: "dropped-delta",
  fault: "keys pass a threshold whose δ is not charged",
  source: "Qrlew: the δ of a threshold used twice and charged once",
  caughtBy: ["verify", "estimate"],
  subject: () =>
    subject<bigint>({
      id: "dropped-delta",
      describes: "a key of one unit, shown where its noisy count reaches 4",
      claim: pureClaim(ratio(1n)),
      neighbours: [[0n, 1n]],
      run: (units, bits) => [units > 0n && units + noise.sample(bits) >= threshold],
      law: (units) =>
        units === 0n ? twoOutcomes({ lo: zero, hi: zero }) : reachesLaw(units, ratio(1n), threshold),
    }),
};
