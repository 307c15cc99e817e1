import { subject } from "../subject.ts";
import { claimOf } from "../verify/claim.ts";
import { boxMullerDouble } from "./doubles.ts";
import type { KnownBad } from "./known-bad.ts";

const sigma = 4;

/** The low bits of the sum tell whether the value was 0 or 1. */
export const naiveBoxMuller: KnownBad = {
  id: "naive-box-muller",
  fault: "Gaussian noise by Box and Muller's transform in doubles",
  source: "Jin, McMurtry, Rubinstein & Ohrimenko 2022",
  caughtBy: ["estimate"],
  subject: () =>
    subject<number>({
      id: "naive-box-muller",
      describes: "0 or 1 plus a Gaussian of σ 4 in doubles",
      claim: claimOf({ kind: "gaussian", version: 1, sigma: "4", sensitivity: "1" }),
      neighbours: [[0, 1]],
      run: (value, bits) => [value + sigma * boxMullerDouble(bits)],
    }),
};
