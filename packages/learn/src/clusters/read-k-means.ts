import type { Policy } from "@lethe/query";
import { invalidFile, readYaml } from "@lethe/query/files";
import type { NumberColumn } from "../model/model.ts";
import { wordsOf } from "../model/owners-words.ts";
import { readColumn } from "../model/read-columns.ts";
import { checkCondition, checkSource, modelFile, placed, sourceOf } from "../model/read-model.ts";
import { demandNumber } from "../model/read-task.ts";
import type { KMeansModel } from "./k-means-model.ts";
import { kMeansSchema } from "./k-means-schema.ts";

/**
 * Reads the description of a k-means from YAML text, and checks it against a policy: every feature is a number with public bounds. Pure.
 * Errors: model.unreadable (not YAML, repeated keys, over 1 MiB); model.invalid with the line, the key and what would be accepted.
 * @example await readKMeans("version: 1\ntable: people\nmodel: k-means\nfeatures: [age, wage]\nclusters: 4", policy)
 */
export async function readKMeans(text: string, policy: Policy): Promise<KMeansModel> {
  const tree = readYaml(text, modelFile);
  const result = kMeansSchema.safeParse(tree.data);
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
    ...wordsOf(file),
    ...{ source: name, where, features: columns, clusters: file.clusters, steps: file.steps ?? 5 },
  };
}
