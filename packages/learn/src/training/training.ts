import { LetheError } from "@lethe/core";
import type { Policy } from "@lethe/query";
import { readYaml } from "@lethe/query/files";
import type { FittedKMeans, KMeansModel } from "../clusters/k-means-model.ts";
import { kMeansQuestion, kMeansStart } from "../clusters/k-means-question.ts";
import { fitKMeans, kMeansStep } from "../clusters/k-means-step.ts";
import { kMeansToSql, predictKMeans } from "../clusters/predict-k-means.ts";
import { readKMeans } from "../clusters/read-k-means.ts";
import type { Model } from "../model/model.ts";
import { modelFile, readModel } from "../model/read-model.ts";
import { type FittedModel, predict, type Scores, toSql } from "../models/fitted-model.ts";
import type { RowValues } from "../models/row-values.ts";
import type { Answer } from "../statistics/answer.ts";
import { jointTraining } from "./joint-training.ts";

/** What can be trained on released sums, checked against a policy. JSON throughout. */
export type ModelDescription = Model | KMeansModel;
/** What comes of it: plain JSON. */
export type TrainedModel = FittedModel | FittedKMeans;

/** Models that are trained from one release, at one price. */
export interface Training {
  /** What is learned, in words. */
  readonly title: string;
  readonly descriptions: readonly ModelDescription[];
  /** The questions that are asked, those of the first round where there are several. */
  readonly texts: readonly string[];
  /** Rounds whose questions follow from the answers before; null for one round. */
  readonly rounds: {
    readonly count: number;
    readonly next: (answers: readonly Answer[]) => readonly string[];
  } | null;
  /**
   * Fits every model to the released answers, in the order of the descriptions. It reads released and public numbers alone, so it costs nothing. A
   * release may hold more than these models need. Errors: release.invalid where an answer is missing, or is not one to its question.
   */
  readonly fit: (answers: readonly Answer[], confidence: number) => readonly TrainedModel[];
}

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

/** Applies a trained model to a row: values by the names of its columns. */
export function scoresOf(model: TrainedModel, row: RowValues): Scores {
  return model.kind === "k-means" ? predictKMeans(model, row) : predict(model, row);
}

/** Writes the same as the list of a SELECT, in PostgreSQL's syntax, over the model's columns. */
export function scoresSql(model: TrainedModel): string {
  return model.kind === "k-means" ? kMeansToSql(model) : toSql(model);
}

function kMeansTraining(model: KMeansModel): Training {
  const { features, clusters, steps, source } = model;
  return {
    title: `k-means of ${features.map(({ name }) => name).join(", ")} over ${source}: ${clusters} clusters in ${steps} steps`,
    descriptions: [model],
    texts: [kMeansQuestion(model, kMeansStart(model))],
    rounds: {
      count: steps,
      next: (answers) => {
        const state = answers.reduce((at, answer) => kMeansStep(model, at, answer), kMeansStart(model));
        return [kMeansQuestion(model, state)];
      },
    },
    fit: (answers) => [fitKMeans(model, answers)],
  };
}

function isKMeans(description: ModelDescription): description is KMeansModel {
  return "clusters" in description;
}

function namesKMeans(text: string): boolean {
  const { data } = readYaml(text, modelFile);
  return typeof data === "object" && data !== null && "model" in data && data.model === "k-means";
}
