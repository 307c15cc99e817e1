import type { FittedPca } from "@lethe/learn";
import { fixed, percent } from "../../render/number.ts";
import { counted } from "../figures.ts";
import { code, paragraph, table } from "../markdown.ts";
import type { FittedPart } from "../model-part.ts";
import { modelColumn, names } from "./model-columns.ts";

/** Principal components with their shares of the variance. */
export function pcaPart(model: FittedPca): FittedPart {
  const { features, components } = model;
  return {
    title: `Principal components of ${names(features)}`,
    about: [
      `It gives a row ${counted(components.length, "score")}: sums of ${names(features)}, each less its mean and in units of half the width of its bounds, in the directions of most variance.`,
    ],
    columns: features.map((feature) => modelColumn(feature, "column")),
    exactness: [
      table(
        ["component", "share of variance", ...features.map(({ name }) => code(name))],
        components.map(({ share, loadings }, at) => [
          String(at + 1),
          percent(share),
          ...loadings.map((loading) => fixed(loading, 3)),
        ]),
      ),
      paragraph("The shares are of the noisy variances, whose noise is told below. There are no intervals."),
    ],
    unmeasured: [],
  };
}
