import { ratio } from "@lethe/core";
import { discreteLaplace } from "@lethe/core/samplers";
import { subject } from "../subject.ts";
import { pureClaim } from "../verify/claim.ts";
import type { KnownBad } from "./known-bad.ts";
import { reachesLaw } from "./laplace-law.ts";

const noise = discreteLaplace(ratio(1n, 2n));

/** Two counts, each answered with the ε of both. */
export const doubleEpsilon: KnownBad = {
  id: "double-epsilon",
  fault: "every part of the answer is given the whole ε",
  source: "the budget was not split: SmartNoise's lazily drawn results",
  caughtBy: ["verify", "estimate"],
  subject: () =>
    subject<bigint>({
      id: "double-epsilon",
      describes: "a count plus noise of scale 1/2",
      claim: pureClaim(ratio(1n)),
      neighbours: [[7n, 8n]],
      run: (count, bits) => [count + noise.sample(bits)],
      law: (count) => reachesLaw(count, ratio(1n, 2n), 8n),
    }),
};
