import { closed, name, number, positiveInteger, says } from "@lethe/query/files";
import { z } from "zod";
import { features, oneSource, source } from "../../model/model-schema.ts";
import { modelCaps, type SynthesisMethod } from "../plan/index.ts";
import type { SynthesisFile } from "./synthesis-spec.ts";

const methods = ["mst", "aim", "residuals", "aim-grem"] as const satisfies readonly SynthesisMethod[];

const bins = positiveInteger.max(4096, says("is above 4096", "write at most 4096 bins"));

/** The format of a synthetic table's file. */
export const synthesisSchema: z.ZodType<SynthesisFile> = closed({
  ...source,
  columns: features
    .optional()
    .describe("The columns of the synthetic table: all with public values, unless stated."),
  target: name
    .optional()
    .describe(
      "The column that a model is to predict from the others: its table with each of them is measured.",
    ),
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
    .refine((x) => x > 0, says("must be above 0", "write model_mb: 4"))
    .meta({ exclusiveMinimum: 0 })
    .optional()
    .describe(
      "The most megabytes that the model may take: 1 for aim, 64 for aim-grem, 16 for the others, unless stated.",
    ),
})
  .meta({ ...oneSource, allOf: capsByMethod() })
  .superRefine((file, context) => {
    const most = modelCaps[file.method].most;
    if (file.model_mb !== undefined && file.model_mb > most)
      context.addIssue({
        code: "custom",
        path: ["model_mb"],
        message: says(`must be above 0 and at most ${most}`, `write model_mb: ${most}, or less`),
      });
    if ((file.table === undefined) === (file.from === undefined))
      context.addIssue({
        code: "custom",
        path: ["table"],
        message: says("must stand alone: table or from", "write table: people"),
      });
  });

/** The cap of each method, as JSON Schema says it. */
function capsByMethod(): readonly object[] {
  return Object.entries(modelCaps).map(([method, { most: maximum }]) => ({
    if: { properties: { method: { type: "string", const: method } }, required: ["method"] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { model_mb: { type: "number", maximum } } },
  }));
}
