import { type Event, ratio } from "@lethe/core";
import { one } from "@lethe/core/numeric";
import { type Claim, claimOf } from "../verify/claim.ts";
import { noisyDescent } from "./noisy-descent.ts";
import type { Training } from "./training.ts";

const size = { canaries: 4_000, guesses: 800 } as const;
const pace = 0.001;
/** A curve is refuted by where it lies lowest: its points lie close. */
const epsilons = Array.from({ length: 41 }, (_, at) => at / 4);
const curveOf = (event: Event): Claim => claimOf(event, "add-or-remove-one", epsilons);

/** Half a batch a step. */
const half = ratio(1n, 2n);

/** DP-SGD of our own, and with faults of others. None of the first may be flagged in one run; each of the others must be. */
export const trainings: readonly Training[] = [
  {
    id: "noisy-descent",
    describes: "8 steps on half of the examples each, with noise of 2 clipping norms",
    source: null,
    ...size,
    claim: () =>
      curveOf({
        kind: "repeat",
        version: 1,
        count: "8",
        event: {
          kind: "poisson-sample",
          version: 1,
          rate: "1/2",
          event: { kind: "gaussian", version: 1, sigma: "2", sensitivity: "1" },
        },
      }),
    train: noisyDescent({ steps: 8, rate: half, sigma: ratio(2n), pace }),
  },
  {
    id: "noisy-descent-full",
    describes: "36 steps on all examples, with noise of 12 clipping norms",
    source: null,
    ...size,
    claim: () =>
      curveOf({
        kind: "repeat",
        version: 1,
        count: "36",
        event: { kind: "gaussian", version: 1, sigma: "12", sensitivity: "1" },
      }),
    train: noisyDescent({ steps: 36, rate: one, sigma: ratio(12n), pace }),
  },
  {
    id: "epochs-uncounted",
    describes: "64 passes over the data at the price of one",
    source: "a step count read before training went on",
    ...size,
    claim: () => curveOf({ kind: "gaussian", version: 1, sigma: "3", sensitivity: "1" }),
    train: noisyDescent({ steps: 64, rate: one, sigma: ratio(3n), pace }),
  },
  {
    id: "noise-of-the-mean",
    describes: "noise that a mean over 100 examples would need, added to their sum",
    source: "loss_reduction = mean beside a sum of gradients",
    ...size,
    claim: () => curveOf({ kind: "gaussian", version: 1, sigma: "2", sensitivity: "1" }),
    train: noisyDescent({ steps: 1, rate: one, sigma: ratio(2n, 100n), pace }),
  },
];
