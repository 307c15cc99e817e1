import { clampedText } from "../models/column-text.ts";
import type { Scores } from "../models/fitted-model.ts";
import { clampedValue, type RowValues } from "../models/row-values.ts";
import type { FittedKMeans } from "./k-means-model.ts";
import { nearest, sidesOf } from "./nearest.ts";
import { nearestText } from "./nearest-text.ts";

/** Returns the place of the centroid that is nearest to a row, clamped to the bounds; null where a number is missing. */
export function predictKMeans({ features, centroids, scales }: FittedKMeans, row: RowValues): Scores {
  const values = features.map((column) => clampedValue(column, row));
  const known = values.every((value): value is number => value !== null) ? values : null;
  return { cluster: known && nearest(sidesOf(centroids, scales), known) };
}

/** Writes the same as the list of a SELECT, in PostgreSQL's syntax, over the model's columns. */
export function kMeansToSql({ features, centroids, scales }: FittedKMeans): string {
  const clamped = features.map(clampedText);
  const missing = clamped.map((text) => `${text} IS NULL`).join(" OR ");
  const place = nearestText(sidesOf(centroids, scales), clamped);
  return `(CASE WHEN ${missing} THEN NULL ELSE ${place} END) AS "cluster"`;
}
