import { closed, name, number, positiveInteger, says } from "@lethe/query/files";
import { z } from "zod";
import { features, source } from "../../model/model-schema.ts";
import type { SynthesisMethod } from "../plan/index.ts";
import type { SynthesisFile } from "./synthesis-spec.ts";

const methods = ["mst", "aim", "residuals"] as const satisfies readonly SynthesisMethod[];

const bins = positiveInteger.max(4096, says("is above 4096", "write at most 4096 bins"));

/** The format of a synthetic table's file. */
export const synthesisSchema: z.ZodType<SynthesisFile> = closed({
  ...source,
  columns: features
    .optional()
    .describe("The columns of the synthetic table: all with public values, unless stated."),
  bins: z
    .union([bins, z.record(name, bins)], {
      error: says(
        "is not a number of bins, or a map from columns to numbers",
        "write bins: 32, or bins: { age: 18 }",
      ),
    })
    .optional()
    .describe("How many bins each number is cut into between its bounds: 32 unless stated."),
  method: z
    .enum(methods, { error: says("is not a method", `write method: ${methods.join(", or ")}`) })
    .describe("How tables to measure are chosen."),
  model_mb: number
    .refine((x) => x > 0 && x <= 16, says("must be above 0 and at most 16", "write model_mb: 4"))
    .optional()
    .describe("The most megabytes that the model may take: 1 for aim, 16 for the others, unless stated."),
}).superRefine((file, context) => {
  if ((file.table === undefined) === (file.from === undefined))
    context.addIssue({
      code: "custom",
      path: ["table"],
      message: says("must stand alone: table or from", "write table: people"),
    });
});
