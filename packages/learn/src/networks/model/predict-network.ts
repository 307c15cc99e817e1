import { elementAt } from "@lethe/core/numeric";
import { designRow, unscaled } from "../../design/design-row.ts";
import { readNetwork } from "../../kernels/network/read-network.ts";
import { type ReferenceNetwork, referenceNetwork } from "../../kernels/reference/reference-network.ts";
import type { Category } from "../../model/model.ts";
import type { Scores } from "../../models/fitted-model.ts";
import type { RowValues } from "../../models/row-values.ts";
import type { NetworkModel } from "./network-model.ts";

/** The score beyond which a probability is 0 or 1 to 17 digits. */
export const largestScore = 40;

/**
 * Opens a model for prediction, in double precision: a row, values by the names of its columns, ↦ for a number { prediction }, within the target's
 * bounds; for two classes { score, probability, prediction }, where the probability is that of the second; for more { probability, prediction },
 * where it is that of the prediction. Errors: model.invalid for a network that is none.
 * @example openNetwork(model)({ age: 40, sector: "trade" }).prediction
 */
export function openNetwork(model: NetworkModel): (row: RowValues) => Scores {
  const { features, target } = model;
  const network = referenceNetwork(readNetwork(model.network));
  const weights = Float64Array.from(model.weights);
  const design = { columns: features, intercept: false };
  return (row) => {
    const outputs = outputsOf(network, weights, designRow(design, row));
    if (target.kind === "number") return { prediction: unscaled(target, elementAt(outputs, 0)) };
    return outputs.length === 1
      ? twoClasses(elementAt(outputs, 0), target.categories)
      : manyClasses(outputs, target.categories);
  };
}

function outputsOf(network: ReferenceNetwork, weights: Float64Array, row: Float64Array): readonly number[] {
  return [...network.outputs(weights, row)];
}

function twoClasses(score: number, categories: readonly Category[]): Scores {
  const within = Math.max(-largestScore, Math.min(largestScore, score));
  return {
    score,
    probability: 1 / (1 + Math.exp(-within)),
    prediction: elementAt(categories, score > 0 ? 1 : 0),
  };
}

function manyClasses(outputs: readonly number[], categories: readonly Category[]): Scores {
  const most = Math.max(...outputs);
  const place = outputs.indexOf(most);
  const sum = outputs.reduce((total, z) => total + Math.exp(z - most), 0);
  return { probability: 1 / sum, prediction: elementAt(categories, place) };
}
