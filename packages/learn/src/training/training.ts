import { LetheError } from "@lethe/core";
import { columnsOf } from "../model/missing-rows.ts";
import type { Model } from "../model/model.ts";
import { type FittedModel, fit } from "../models/fitted-model.ts";
import { type NoisyStatistics, readStatistics } from "../moments/noisy-statistics.ts";
import type { Answer } from "../statistics/answer.ts";
import { layoutOf } from "../statistics/layout-of.ts";
import type { Statistic } from "../statistics/statistic.ts";
import { type JointLayout, jointLayouts, placeAmong } from "./joint-layout.ts";

/** Models that are trained together: from one release, at one price. */
export interface Training {
  /** What is learned, in words. */
  readonly title: string;
  readonly models: readonly Model[];
  /** The questions that measure what all of them need, each once. */
  readonly texts: readonly string[];
  readonly layouts: readonly JointLayout[];
}

/**
 * Plans the questions of models that are trained together. A function of the models alone. Errors: model.invalid for too many sums.
 * @example trainingOf([model]).texts // => ['SELECT COUNT(*) AS "n", …']
 */
export function trainingOf(models: readonly Model[]): Training {
  const layouts = jointLayouts(models);
  return {
    title: models.map(titleOf).join("; "),
    models,
    layouts,
    texts: layouts.flatMap(({ layout }) => layout.questions.map(({ text }) => text)),
  };
}

/** @example titleOf(model) // => "linear-regression of wage, age, sector over people" */
function titleOf(model: Model): string {
  const names = columnsOf(model).map(({ name }) => name);
  return `${model.task.kind} of ${names.join(", ")} over ${model.source}`;
}

/**
 * Fits every model to the released answers, which are found by their texts: a release may hold more than these models need. It reads released and
 * public numbers alone, so it costs nothing. Errors: release.invalid where an answer is missing, or is not one to its question.
 */
export function fitTraining(
  { models, layouts }: Training,
  answers: readonly Answer[],
  confidence = 0.95,
): readonly FittedModel[] {
  const byText = new Map(answers.map((answer) => [answer.certificate.plan.text, answer]));
  const fitted = new Map<Model, FittedModel>();
  for (const joint of layouts) {
    const own = joint.layout.questions.map(({ text }) => byText.get(text) ?? missing(text));
    const statistics = readStatistics(joint.layout, own);
    for (const model of joint.models)
      fitted.set(model, fit(model, layoutOf(model), statisticsOf(model, joint, statistics), confidence));
  }
  return models.flatMap((model) => fitted.get(model) ?? []);
}

/** The statistics of all models of a group, by the places that one of them gives to its columns. */
function statisticsOf(model: Model, { models }: JointLayout, all: NoisyStatistics): NoisyStatistics {
  const columns = [...new Map(models.flatMap(columnsOf).map((column) => [column.name, column])).values()];
  const place = placeAmong(columnsOf(model), columns);
  const among = ({ cells, factors }: Statistic): Statistic => ({
    cells: cells.map(({ block, category }) => ({ block: place("category", block), category })),
    factors: factors.map((factor) => place("number", factor)),
  });
  return { ...all, place: (statistic) => all.place(among(statistic)) };
}

function missing(text: string): never {
  throw new LetheError("release.invalid", `the release does not answer a question of the model: ${text}`, {
    fix: "train the model itself, or give a release of models over the same rows and columns",
  });
}
