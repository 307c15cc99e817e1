import { quoted } from "../sql/quoted.ts";
import { encodedNumber } from "../statistics/layout-of.ts";
import { scaledText } from "../statistics/question-text.ts";
import { firstCentroids } from "./first-centroids.ts";
import type { KMeansModel, KMeansState } from "./k-means-model.ts";
import { sidesOf } from "./nearest.ts";
import { nearestText } from "./nearest-text.ts";

/** Returns the start of every k-means: points that are spread over the bounds and read no row. */
export function kMeansStart({ clusters, features }: KMeansModel): KMeansState {
  return { step: 0, centroids: firstCentroids(clusters, features.length), counts: null };
}

/**
 * Writes the next question: how many rows are nearest to each centroid, and the sums of their scaled numbers. The centroids in it are public, as
 * they follow from earlier releases; its keys 0 … k − 1 are too, so that every cluster is answered, empty or not.
 * Source: Su, Cao, Li, Bertino & Jin 2016 (DPLloyd: a fixed number of Lloyd's steps on noisy sums and counts).
 * @example 'SELECT CASE WHEN … THEN 0 ELSE 1 END AS "cluster", COUNT(*) AS "n", SUM(…) AS "sum 0" FROM "people" GROUP BY "cluster"'
 */
export function kMeansQuestion({ source, where, features }: KMeansModel, { centroids }: KMeansState): string {
  const scaled = features.map((column) => scaledText(encodedNumber(column)));
  const ones = features.map(() => 1);
  const sums = scaled.map((text, place) => `SUM(${text}) AS ${quoted(`sum ${place}`)}`);
  const conditions = [
    ...(where === null ? [] : [`(\n${where}\n)`]),
    ...features.filter(({ nullable }) => nullable).map(({ name }) => `${quoted(name)} IS NOT NULL`),
  ];
  return [
    `SELECT ${nearestText(sidesOf(centroids, ones), scaled)} AS "cluster", COUNT(*) AS "n", ${sums.join(", ")}`,
    `FROM ${quoted(source)}`,
    ...(conditions.length === 0 ? [] : [`WHERE ${conditions.join(" AND ")}`]),
    'GROUP BY "cluster"',
  ].join(" ");
}
