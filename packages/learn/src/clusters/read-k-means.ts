import type { Policy } from "@lethe/query";
import { closed, invalidFile, positiveInteger, readYaml, says } from "@lethe/query/files";
import { z } from "zod";
import type { NumberColumn } from "../model/model.ts";
import { features, source } from "../model/model-schema.ts";
import { readColumn } from "../model/read-columns.ts";
import { checkCondition, checkSource, modelFile, placed, sourceOf } from "../model/read-model.ts";
import { demandNumber } from "../model/read-task.ts";
import type { KMeansModel } from "./k-means-model.ts";

/** A question compares each pair of clusters in every row, so their number is small. */
const mostClusters = 32;
const mostSteps = 100;

const schema = closed({
  ...source,
  model: z.literal("k-means", { error: says("must be k-means", "write model: k-means") }),
  features,
  clusters: positiveInteger
    .min(2, { error: says("must be at least 2", "write clusters: 2 or more") })
    .max(mostClusters, { error: says(`must be at most ${mostClusters}`, "take fewer clusters") })
    .describe("How many clusters, k."),
  steps: positiveInteger
    .max(mostSteps, { error: says(`must be at most ${mostSteps}`, "take fewer steps: each is paid") })
    .optional()
    .describe("How many questions move the centroids: 5 unless stated. Each is paid."),
}).superRefine((file, context) => {
  if ((file.table === undefined) === (file.from === undefined))
    context.addIssue({
      code: "custom",
      path: ["table"],
      message: says("must stand alone: table or from", "write table: people"),
    });
});

/**
 * Reads the description of a k-means from YAML text, and checks it against a policy: every feature is a number with public bounds. Pure.
 * Errors: model.unreadable (not YAML, repeated keys, over 1 MiB); model.invalid with the line, the key and what would be accepted.
 * @example await readKMeans("version: 1\ntable: people\nmodel: k-means\nfeatures: [age, wage]\nclusters: 4", policy)
 */
export async function readKMeans(text: string, policy: Policy): Promise<KMeansModel> {
  const tree = readYaml(text, modelFile);
  const result = schema.safeParse(tree.data);
  if (!result.success) throw invalidFile(result.error.issues, tree, modelFile);
  const file = result.data;
  const where = file.where ?? null;
  const [sourceKey, name] = sourceOf(file);
  await placed(tree, [sourceKey], () => checkSource(name, policy));
  if (where !== null) await placed(tree, ["where"], () => checkCondition(name, where, policy));
  const columns: NumberColumn[] = [];
  for (const [at, column] of file.features.entries())
    columns.push(
      await placed(tree, ["features", at], async () => demandNumber(await readColumn(name, column, policy))),
    );
  return {
    ...({ kind: "k-means", version: 1 } as const),
    ...{ source: name, where, features: columns, clusters: file.clusters, steps: file.steps ?? 5 },
  };
}
