import { LetheError } from "@lethe/core";
import { columnsOf } from "../model/missing-rows.ts";
import type { Model } from "../model/model.ts";
import { type FittedModel, fit } from "../models/fitted-model.ts";
import { type NoisyStatistics, readStatistics } from "../moments/noisy-statistics.ts";
import type { Answer } from "../statistics/answer.ts";
import { layoutOf } from "../statistics/layout-of.ts";
import { demandSameLimits } from "../statistics/same-rows.ts";
import type { Statistic } from "../statistics/statistic.ts";
import { type JointLayout, jointLayouts, placeAmong } from "./joint-layout.ts";
import type { Training } from "./training.ts";

/** Plans models that are fitted to sums: what all of them need is measured once. Errors: model.invalid for too many sums. */
export function jointTraining(models: readonly Model[]): Training {
  demandPlainPenalties(models);
  const layouts = jointLayouts(models);
  return {
    title: models.map(titleOf).join("; "),
    descriptions: models,
    texts: layouts.flatMap(({ layout }) => layout.questions.map(({ text }) => text)),
    rounds: null,
    fit: (answers, confidence) => fitAll(models, layouts, answers, confidence),
  };
}

/** A linear regression is not held back: a description that says otherwise was not read from a file. Errors: model.invalid. */
function demandPlainPenalties(models: readonly Model[]): void {
  const held = models.some(({ task }) => task.kind === "linear-regression" && task.penalty !== 0);
  if (held)
    throw new LetheError("model.invalid", "a linear regression has a penalty", {
      fix: "write model: ridge-regression",
    });
}

/** @example titleOf(model) // => "linear-regression of wage, age, sector over people" */
function titleOf(model: Model): string {
  const names = columnsOf(model).map(({ name }) => name);
  return `${model.task.kind} of ${names.join(", ")} over ${model.source}`;
}

function fitAll(
  models: readonly Model[],
  layouts: readonly JointLayout[],
  answers: readonly Answer[],
  confidence: number,
): readonly FittedModel[] {
  const byText = new Map(answers.map((answer) => [answer.certificate.plan.text, answer]));
  const fitted = new Map<Model, FittedModel>();
  for (const joint of layouts) {
    const own = joint.layout.questions.map(({ text }) => byText.get(text) ?? missing(text));
    demandSameLimits(own.map(({ certificate: { plan } }) => plan));
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
