import { LetheError } from "@lethe/core";
import type { ProcedureRelease } from "@lethe/gateway";
import { type ModelDescription, type TrainedModel, wordsOf } from "@lethe/learn";
import type { BoostedModel } from "@lethe/learn/boosting";
import type { ConvexModel } from "@lethe/learn/convex";
import type { NetworkModel } from "@lethe/learn/networks";
import { synthesisPlanOf } from "../synthesize/synthesis-file.ts";
import { type SynthesisRelease, synthesisKind } from "../synthesize/synthesize-table.ts";
import { syntheticTable } from "../synthesize/synthetic-table.ts";
import { type BoostingRecord, boostingPart } from "./kinds/boosting.ts";
import { type ConvexRecord, convexPart } from "./kinds/convex.ts";
import { covariancePart } from "./kinds/covariance.ts";
import { kMeansPart } from "./kinds/k-means.ts";
import { marginalsPart } from "./kinds/marginals.ts";
import { naiveBayesPart } from "./kinds/naive-bayes.ts";
import { type NetworkRecord, networkPart } from "./kinds/network.ts";
import { pcaPart } from "./kinds/pca.ts";
import { regressionPart } from "./kinds/regression.ts";
import { synthesisPart } from "./kinds/synthesis.ts";
import type { FittedPart, ModelPart, ProcedurePart } from "./model-part.ts";

/** Says what a model is that was fitted to released sums: a new kind is a line here. */
function fittedPart(model: TrainedModel): FittedPart {
  switch (model.kind) {
    case "linear-regression":
    case "ridge-regression":
      return regressionPart(model);
    case "covariance":
      return covariancePart(model);
    case "pca":
      return pcaPart(model);
    case "naive-bayes":
      return naiveBayesPart(model);
    case "marginals":
      return marginalsPart(model);
    case "k-means":
      return kMeansPart(model);
  }
}

/** Says what came of a procedure, by its kind: a new kind is a line here. The form of plan and result was read by verify. */
const procedureParts: Readonly<Record<string, (release: ProcedureRelease) => ProcedurePart>> = {
  boosting: ({ result, certificate }) =>
    boostingPart(certificate.procedure.plan as BoostingRecord, result as BoostedModel),
  network: ({ result, certificate }) =>
    networkPart(certificate.procedure.plan as NetworkRecord, result as NetworkModel),
  convex: ({ result, certificate }) =>
    convexPart(certificate.procedure.plan as ConvexRecord, result as ConvexModel),
  [synthesisKind]: (release) => {
    const tables = release as SynthesisRelease;
    return synthesisPart(synthesisPlanOf(tables), syntheticTable(tables));
  },
};

/** Returns what a card says of a fitted model. */
export function modelPart(model: TrainedModel, description: ModelDescription): ModelPart {
  const { source, where } = description;
  return { ...fittedPart(model), source, where, ...wordsOf(description) };
}

/** Returns what a card says of a procedure's result. Errors: release.invalid for a kind without a card. */
export function procedurePart(release: ProcedureRelease): ProcedurePart {
  const { kind } = release.certificate.procedure;
  const part = Object.hasOwn(procedureParts, kind) ? procedureParts[kind] : undefined;
  if (part) return part(release);
  throw new LetheError("release.invalid", `there is no card of a procedure of kind ${JSON.stringify(kind)}`, {
    fix: `give what lethe train or lethe synthesize wrote: ${Object.keys(procedureParts).join(", ")}`,
  });
}
