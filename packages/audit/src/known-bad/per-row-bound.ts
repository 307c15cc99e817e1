import { ratio } from "@lethe/core";
import { discreteLaplace } from "@lethe/core/samplers";
import { subject } from "../subject.ts";
import { pureClaim } from "../verify/claim.ts";
import { type KnownBad, noisySum } from "./known-bad.ts";
import { reachesLaw } from "./laplace-law.ts";

/** Rows of the person who is removed: five. */
const rowsOf = 5n;
const noise = discreteLaplace(ratio(1n));

/** Every row is bounded, the number of a person's rows is not. */
export const perRowBound: KnownBad = {
  id: "per-row-bound",
  fault: "contributions are bounded per row, and the promise is per person",
  source: "D2: the unit is a person; one-table systems without a unit",
  caughtBy: ["verify", "replay", "estimate"],
  subject: () =>
    subject<bigint>({
      id: "per-row-bound",
      describes: "a count of rows, of which one person has five",
      claim: pureClaim(ratio(1n)),
      neighbours: [[20n, 20n + rowsOf]],
      run: (rows, bits) => [rows + noise.sample(bits)],
      law: (rows) => reachesLaw(rows, ratio(1n), 23n),
    }),
  program: {
    run: noisySum(1n, (rows) => [BigInt(rows.length)]),
    neighbours: [[[1n], [1n, 2n, 2n, 2n, 2n, 2n]]],
  },
};
