import { closed, number, positiveInteger, says } from "@lethe/query/files";
import { z } from "zod";
import { kindOf, oneSource } from "../../model/model-schema.ts";
import { checkRowKeys, rowKeys } from "../../model/row-keys.ts";
import type { NetworkFile } from "./network-file.ts";

/** The largest model that a file may describe: its weights are released as text, and stay in the ledger. */
export const mostParameters = 500_000;
/** The most steps of a file's training. */
const mostSteps = 1_000_000;

const positive = number
  .refine((x) => x > 0, says("must be above 0", "write 1, or another number above 0"))
  .meta({ exclusiveMinimum: 0 });
const share = number
  .refine((x) => x > 0 && x < 1, says("must be above 0 and below 1", "write 0.5"))
  .meta({ exclusiveMinimum: 0, exclusiveMaximum: 1 });
const momentum = number
  .refine((x) => x >= 0 && x < 1, says("must be at least 0 and below 1", "write momentum: 0.9"))
  .meta({ minimum: 0, exclusiveMaximum: 1 });

const rate = z.union(
  [
    number.refine((x) => x > 0 && x <= 1).meta({ exclusiveMinimum: 0, maximum: 1 }),
    z.string().regex(/^[1-9]\d{0,9}\/[1-9]\d{0,9}$/),
  ],
  { error: says("must be above 0 and at most 1", "write rate: 1/10, the expected batch over units") },
);

const clip = z.union(
  [
    positive,
    closed({
      perLayer: z.array(positive).min(1).describe("A norm for each layer that has weights, in their order."),
    }),
    closed({
      adaptive: closed({
        start: positive.describe("The norm of the first step."),
        quantile: share
          .optional()
          .describe("The share of units that should not be clipped: 0.5 unless stated."),
        pace: positive.optional().describe("How fast the norm follows what is counted: 0.2 unless stated."),
        countNoise: positive
          .optional()
          .describe("The deviation of the counts' noise, in units: a twentieth of the batch unless stated."),
      }).describe("A norm that follows a paid count of the units that it does not clip."),
    }),
  ],
  {
    error: says(
      "must be a norm above 0",
      "write clip: 1, clip: { perLayer: [1, 0.5] } or clip: { adaptive: { start: 1 } }",
    ),
  },
);

const kindOfNoise = <Kind extends string>(kind: Kind): z.ZodLiteral<Kind> =>
  z.literal(kind).describe("The form of the correlation.");

const correlation = z.union(
  [
    closed({ kind: kindOfNoise("tree") }),
    closed({
      kind: kindOfNoise("banded"),
      bands: positiveInteger.describe(
        "The number of earlier steps that a step's noise hangs on, and itself.",
      ),
    }),
    closed({
      kind: kindOfNoise("blt"),
      buffers: positiveInteger.describe("The number of geometric sums of earlier noise that are kept."),
    }),
  ],
  {
    error: says(
      "is no correlation of noise",
      "write correlation: { kind: tree }, { kind: banded, bands: 16 } or { kind: blt, buffers: 4 }",
    ),
  },
);

const optimizer = z.union(
  [
    closed({
      kind: z.literal("sgd").describe("The kind of optimizer."),
      rate: positive.describe("The length of a step, as a multiple of the mean gradient."),
      momentum: momentum.optional().describe("The share of the last move that is kept: 0 unless stated."),
    }),
    closed({
      kind: z.literal("adam").describe("The kind of optimizer."),
      rate: positive.describe("The length of a step."),
      first: momentum.optional().describe("The share of the mean gradient that is kept: 0.9 unless stated."),
      second: momentum.optional().describe("The share of the mean square that is kept: 0.999 unless stated."),
      floor: positive
        .optional()
        .describe("The number that is added to the root of the mean square: 1e-8 unless stated."),
    }),
  ],
  {
    error: says(
      "is no optimizer",
      "write optimizer: { kind: sgd, rate: 0.5, momentum: 0.9 } or { kind: adam, rate: 0.01 }",
    ),
  },
);

/** The format of a network's file. */
export const networkSchema: z.ZodType<NetworkFile> = closed({
  ...rowKeys,
  model: kindOf("network"),
  units: positiveInteger
    .max(2 ** 31, { error: says("must be at most 2^31", "write the public number of units") })
    .describe(
      "The public number of units, about which a batch is scaled. It is declared, and never counted.",
    ),
  input: z
    .union([z.tuple([positiveInteger]), z.tuple([positiveInteger, positiveInteger, positiveInteger])], {
      error: says("is no shape", "write input: [28, 28, 1], or leave it out"),
    })
    .optional()
    .describe("The shape of the features: [height, width, channels] of a picture. One vector unless stated."),
  layers: z
    .array(z.unknown(), {
      error: says("must be a list of layers", "write layers: [{ layer: linear, outputs: 32 }]"),
    })
    .optional()
    .describe("The hidden layers, in order. The last layer is added. None unless stated: a linear model."),
  sampler: z
    .enum(["poisson", "balls-in-bins", "cyclic", "full"], {
      error: says(
        "is no sampler of a file",
        "write sampler: poisson, balls-in-bins, full, or, with a correlation, cyclic",
      ),
    })
    .optional()
    .describe("Which units a step sees: poisson unless stated, and cyclic for correlated noise."),
  rate: rate.optional().describe("The expected batch over units: 1/10 unless stated."),
  steps: positiveInteger
    .max(mostSteps, { error: says(`must be at most ${mostSteps}`, "write steps: 200") })
    .optional()
    .describe("The number of noisy steps: 20 passes over the units unless stated."),
  clip: clip
    .optional()
    .describe("The largest norm of a unit's gradient, that of all its rows together: 1 unless stated."),
  correlation: correlation.optional().describe("How the noise of a step hangs on that of the steps before."),
  optimizer: optimizer
    .optional()
    .describe("How noisy gradients move the weights: adam at a rate of 0.05 unless stated."),
  seed: number
    .refine((x) => Number.isSafeInteger(x) && x >= 0, says("must be a whole number", "write seed: 1"))
    .meta({ type: "integer", minimum: 0 })
    .optional()
    .describe("Of the weights to begin with, which are public: 1 unless stated."),
})
  .meta(oneSource)
  .superRefine(checkRowKeys);
