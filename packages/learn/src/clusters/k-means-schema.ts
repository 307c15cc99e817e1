import { closed, positiveInteger, says } from "@lethe/query/files";
import type { z } from "zod";
import type { Source } from "../model/model-file.ts";
import { features, kindOf, oneSource, source } from "../model/model-schema.ts";

/** A question compares each pair of clusters in every row, so their number is small. */
const mostClusters = 32;
const mostSteps = 100;

interface KMeansFile extends Source {
  readonly model: "k-means";
  readonly features: string[];
  readonly clusters: number;
  readonly steps?: number | undefined;
}

/** The format of a k-means' file. */
export const kMeansSchema: z.ZodType<KMeansFile> = closed({
  ...source,
  model: kindOf("k-means"),
  features,
  clusters: positiveInteger
    .min(2, { error: says("must be at least 2", "write clusters: 2 or more") })
    .max(mostClusters, { error: says(`must be at most ${mostClusters}`, "take fewer clusters") })
    .describe("How many clusters, k."),
  steps: positiveInteger
    .max(mostSteps, { error: says(`must be at most ${mostSteps}`, "take fewer steps: each is paid") })
    .optional()
    .describe("How many questions move the centroids: 5 unless stated. Each is paid."),
})
  .meta(oneSource)
  .superRefine((file, context) => {
    if ((file.table === undefined) === (file.from === undefined))
      context.addIssue({
        code: "custom",
        path: ["table"],
        message: says("must stand alone: table or from", "write table: people"),
      });
  });
