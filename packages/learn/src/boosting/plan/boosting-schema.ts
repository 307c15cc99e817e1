import { closed, number, positiveInteger, says } from "@lethe/query/files";
import type { z } from "zod";
import type { Source } from "../../model/model-file.ts";
import { kindOf, oneSource } from "../../model/model-schema.ts";
import { checkRowKeys, rowKeys } from "../../model/row-keys.ts";
import { most } from "./check-description.ts";

const positive = number
  .refine((x) => x > 0, says("must be above 0", "write 1, or another number above 0"))
  .meta({ exclusiveMinimum: 0 });

interface BoostingFile extends Source {
  readonly model: "boosting";
  readonly target: string;
  readonly features: string[];
  readonly bins?: number | undefined;
  readonly rounds?: number | undefined;
  readonly rate?: number | undefined;
  readonly clip?: number | undefined;
  readonly countShare?: number | undefined;
  readonly shrinkage?: number | undefined;
}

/** The format of a boosting's file. */
export const boostingSchema: z.ZodType<BoostingFile> = closed({
  ...rowKeys,
  model: kindOf("boosting"),
  bins: positiveInteger
    .min(2, { error: says("must be at least 2", "write bins: 16") })
    .max(most.bins, { error: says(`must be at most ${most.bins}`, "write bins: 16") })
    .optional()
    .describe("The most bins of a number: 16 unless stated."),
  rounds: positiveInteger
    .max(most.rounds, { error: says(`must be at most ${most.rounds}`, "write rounds: 8: each is paid") })
    .optional()
    .describe("How often every shape is bettered in turn: 8 unless stated. Each is paid."),
  rate: positive
    .max(1, { error: says("must be at most 1", "write rate: 1") })
    .optional()
    .describe("The share of a Newton step that is taken: 1 unless stated."),
  clip: positive.optional().describe("The largest norm of a unit's residuals in one step: 1 unless stated."),
  countShare: positive
    .refine((x) => x < 1, says("must be below 1", "write countShare: 0.2"))
    .meta({ exclusiveMaximum: 1 })
    .optional()
    .describe("The share of the budget that pays for the counts: 0.2 unless stated."),
  shrinkage: positive
    .optional()
    .describe("How much a step shrinks, in deviations of one sum's noise: 1 unless stated."),
})
  .meta(oneSource)
  .superRefine(checkRowKeys);
