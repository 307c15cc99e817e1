import { LetheError } from "@lethe/core";
import type { Policy } from "@lethe/query";
import { readYaml } from "@lethe/query/files";
import type { KMeansModel } from "../clusters/k-means-model.ts";
import { readKMeans } from "../clusters/read-k-means.ts";
import type { Model } from "../model/model.ts";
import { modelFile, readModel } from "../model/read-model.ts";
import { jointTraining } from "./joint-training.ts";
import { kMeansTraining } from "./k-means-training.ts";
import type { ModelDescription, Training } from "./training.ts";

/**
 * Plans the training of models together: sums that several need are measured once. A k-means asks one question after another, and so is trained by
 * itself. A function of the descriptions alone. Errors: model.invalid for too many sums, for no model, and for a k-means beside others.
 * @example trainingOf([model]).texts // => ['SELECT COUNT(*) AS "n", …']
 */
export function trainingOf(descriptions: readonly ModelDescription[]): Training {
  const [first] = descriptions;
  if (first && isKMeans(first) && descriptions.length === 1) return kMeansTraining(first);
  const models = descriptions.filter((each): each is Model => !isKMeans(each));
  if (models.length === 0 || models.length < descriptions.length)
    throw new LetheError(
      "model.invalid",
      models.length === 0
        ? "several k-means, or no model, were asked for at once"
        : "a k-means asks one question after another, and cannot share one release with other models",
      { fix: "train each k-means by itself" },
    );
  return jointTraining(models);
}

/** Reads the descriptions of models, each from YAML text, and plans their training. Errors: those of reading each; model.invalid. */
export async function readTraining(texts: readonly string[], policy: Policy): Promise<Training> {
  const descriptions: ModelDescription[] = [];
  for (const text of texts)
    descriptions.push(await (namesKMeans(text) ? readKMeans(text, policy) : readModel(text, policy)));
  return trainingOf(descriptions);
}

function isKMeans(description: ModelDescription): description is KMeansModel {
  return "clusters" in description;
}

function namesKMeans(text: string): boolean {
  const { data } = readYaml(text, modelFile);
  return typeof data === "object" && data !== null && "model" in data && data.model === "k-means";
}
