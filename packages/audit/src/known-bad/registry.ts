import { doubleEpsilon } from "./double-epsilon.ts";
import { droppedDelta } from "./dropped-delta.ts";
import { halfSensitivity } from "./half-sensitivity.ts";
import type { KnownBad } from "./known-bad.ts";
import { l1ForL2 } from "./l1-for-l2.ts";
import { naiveBoxMuller } from "./naive-box-muller.ts";
import { naiveLaplace } from "./naive-laplace.ts";
import { naiveZiggurat } from "./naive-ziggurat.ts";
import { noiseSeededByValue } from "./noise-seeded-by-value.ts";
import { noisyMaxValue } from "./noisy-max-value.ts";
import { perRowBound } from "./per-row-bound.ts";
import { sparseVector3 } from "./sparse-vector/sparse-vector-3.ts";
import { sparseVector4 } from "./sparse-vector/sparse-vector-4.ts";
import { sparseVector5 } from "./sparse-vector/sparse-vector-5.ts";
import { sparseVector6 } from "./sparse-vector/sparse-vector-6.ts";
import { thresholdOffByOne } from "./threshold-off-by-one.ts";
import { emptyBatchSkipped } from "./training/empty-batch-skipped.ts";
import { realisedBatch } from "./training/realised-batch.ts";
import { shuffledAsPoisson } from "./training/shuffled-as-poisson.ts";
import { unclampedValue } from "./unclamped-value.ts";

/** Every control. A new one is a file and a line here. */
export const knownBad: readonly KnownBad[] = [
  sparseVector3,
  sparseVector4,
  sparseVector5,
  sparseVector6,
  noisyMaxValue,
  halfSensitivity,
  doubleEpsilon,
  l1ForL2,
  perRowBound,
  unclampedValue,
  droppedDelta,
  thresholdOffByOne,
  realisedBatch,
  emptyBatchSkipped,
  naiveLaplace,
  naiveBoxMuller,
  naiveZiggurat,
  noiseSeededByValue,
  shuffledAsPoisson,
];
