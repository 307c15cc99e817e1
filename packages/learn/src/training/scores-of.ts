import { kMeansToSql, predictKMeans } from "../clusters/predict-k-means.ts";
import { predict, type Scores, toSql } from "../models/fitted-model.ts";
import type { RowValues } from "../models/row-values.ts";
import type { TrainedModel } from "./training.ts";

/** Applies a trained model to a row: values by the names of its columns. */
export function scoresOf(model: TrainedModel, row: RowValues): Scores {
  return model.kind === "k-means" ? predictKMeans(model, row) : predict(model, row);
}

/** Writes the same as the list of a SELECT, in PostgreSQL's syntax, over the model's columns. */
export function scoresSql(model: TrainedModel): string {
  return model.kind === "k-means" ? kMeansToSql(model) : toSql(model);
}
