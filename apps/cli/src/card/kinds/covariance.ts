import type { FittedCovariance } from "@lethe/learn";
import { fixed } from "../../render/number.ts";
import { figure } from "../figures.ts";
import { code, paragraph, table } from "../markdown.ts";
import type { FittedPart } from "../model-part.ts";
import { modelColumn, names } from "./model-columns.ts";

/** Means, deviations and correlations. */
export function covariancePart(model: FittedCovariance): FittedPart {
  const { features, rows, means, covariances, correlations } = model;
  return {
    title: `Covariances of ${names(features)}`,
    about: [
      `It holds the means, covariances and correlations of ${names(features)}, and scores a row by its squared distance from the means, in the units of the covariances.`,
    ],
    columns: features.map((feature) => modelColumn(feature, "column")),
    exactness: [
      table(
        ["column", "mean", "deviation", ...features.map(({ name }) => `with ${code(name)}`)],
        features.map(({ name }, i) => [
          code(name),
          figure(means[i] ?? Number.NaN),
          figure(Math.sqrt(Math.max(0, covariances[i]?.[i] ?? Number.NaN))),
          ...features.map((_, j) => {
            const correlation = correlations[i]?.[j];
            return correlation === null || correlation === undefined ? "—" : fixed(correlation, 3);
          }),
        ]),
      ),
      paragraph(
        `All follow from noisy sums of about ${fixed(rows, 0)} rows, whose noise is told below. There are no intervals.`,
      ),
    ],
    unmeasured: [],
  };
}
