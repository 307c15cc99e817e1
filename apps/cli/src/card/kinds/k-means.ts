import type { FittedKMeans } from "@lethe/learn";
import { fixed } from "../../render/number.ts";
import { counted, figure } from "../figures.ts";
import { code, paragraph, table } from "../markdown.ts";
import type { FittedPart } from "../model-part.ts";
import { modelColumn, names } from "./model-columns.ts";

/** Centroids with the rows that were nearest to each. */
export function kMeansPart(model: FittedKMeans): FittedPart {
  const { features, centroids, counts, steps } = model;
  return {
    title: `${counted(centroids.length, "cluster")} of ${names(features)}`,
    about: [
      `It gives a row the nearest of ${counted(centroids.length, "centroid")} of ${names(features)}, with distances in units of half the width of each column's bounds.`,
      `The centroids began at public points and were moved ${counted(steps, "time")}, each time to the noisy means of the rows nearest to them.`,
    ],
    columns: features.map((feature) => modelColumn(feature, "column")),
    exactness: [
      table(
        ["centroid", "rows", ...features.map(({ name }) => code(name))],
        centroids.map((centroid, at) => [
          String(at),
          fixed(counts?.[at] ?? Number.NaN, 0),
          ...centroid.map(figure),
        ]),
      ),
      paragraph(
        "The rows are noisy counts, from before the last move; one of few rows may be of none. There are no intervals.",
      ),
    ],
    unmeasured: ["Whether the rows have clusters at all: so many were asked for, and so many are given."],
  };
}
