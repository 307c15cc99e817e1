import {
  boolean,
  closed,
  type FileKind,
  invalidFile,
  name,
  positiveInteger,
  readYaml,
  says,
} from "@lethe/query/files";
import { z } from "zod";
import type { FittedKMeans } from "./k-means-model.ts";

const modelJson: FileKind = {
  noun: "model",
  unreadable: "model.unreadable",
  invalid: "model.invalid",
  exactSections: new Set(),
};

const finite = z.number({ error: says("must be a finite number", "write it as 12, -3.5 or 1e6") });
const bounds = z
  .tuple([finite, finite])
  .refine(([lo, hi]) => lo < hi, says("must increase", "write [lowest, highest]"));

const schema: z.ZodType<FittedKMeans> = closed({
  kind: z.literal("k-means"),
  version: z.literal(1),
  features: z.array(closed({ kind: z.literal("number"), name, bounds, nullable: boolean })).min(1),
  centroids: z.array(z.array(finite)).min(2),
  scales: z.array(finite.positive({ error: says("must be above 0", "write half the width of the bounds") })),
  counts: z.array(finite).nullable(),
  steps: z.union([z.literal(0), positiveInteger]),
}).refine(
  ({ features, centroids, scales, counts }) =>
    [scales, ...centroids].every((list) => list.length === features.length) &&
    (counts?.length ?? centroids.length) === centroids.length,
  says("has lists of different lengths", "write a number for each feature, and a count for each centroid"),
);

/** Writes a fitted k-means as JSON. */
export function kMeansToJson(fitted: FittedKMeans): string {
  return JSON.stringify(fitted, null, 2);
}

/**
 * Reads what {@link kMeansToJson} wrote: no key is unknown, and every number is finite.
 * Errors: model.unreadable (no JSON, repeated keys, over 1 MiB); model.invalid with the line, the key and what would be accepted.
 */
export function readFittedKMeans(text: string): FittedKMeans {
  const tree = readYaml(text, modelJson);
  const result = schema.safeParse(tree.data);
  if (!result.success) throw invalidFile(result.error.issues, tree, modelJson);
  return result.data;
}
