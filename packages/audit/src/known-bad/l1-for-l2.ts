import { ratio } from "@lethe/core";
import { discreteLaplace } from "@lethe/core/samplers";
import { subject } from "../subject.ts";
import { pureClaim } from "../verify/claim.ts";
import type { KnownBad } from "./known-bad.ts";

const groups = 16;
/** For ε = 4 at the ℓ2 distance √16: scale 1. */
const noise = discreteLaplace(ratio(1n));

/** One unit is in 16 groups: Laplace noise must follow the ℓ1 distance 16, not the ℓ2 distance 4. */
export const l1ForL2: KnownBad = {
  id: "l1-for-l2",
  fault: "Laplace noise scaled to the ℓ2 distance of a vector",
  source: "D5: Δ₁ and Δ₂ of a vector were confused",
  caughtBy: ["replay", "estimate"],
  subject: () =>
    subject<readonly bigint[]>({
      id: "l1-for-l2",
      describes: "16 counts that one unit moves by 1 each",
      claim: pureClaim(ratio(4n)),
      neighbours: [[Array<bigint>(groups).fill(5n), Array<bigint>(groups).fill(6n)]],
      run: (counts, bits) => counts.map((count) => count + noise.sample(bits)),
    }),
  program: {
    run: (counts, dp) =>
      dp.addNoise(counts, { mechanism: "discrete-laplace@1", scale: "1" }, { l1: 4n, l2Squared: 16n }),
    neighbours: [[Array<bigint>(groups).fill(5n), Array<bigint>(groups).fill(6n)]],
  },
};
