import type { FittedNaiveBayes } from "@lethe/learn";
import { percent } from "../../render/number.ts";
import { listed } from "../figures.ts";
import { code, paragraph, table } from "../markdown.ts";
import type { FittedPart } from "../model-part.ts";
import { names, predictedBy, shownCategory } from "./model-columns.ts";

/** A classifier: its classes and their shares. */
export function naiveBayesPart(model: FittedNaiveBayes): FittedPart {
  const { target, features, classes } = model;
  return {
    title: `Naive Bayes classifier of ${code(target.name)}`,
    about: [
      `It tells which of ${listed(target.categories.map(shownCategory))} the category ${code(target.name)} of a row is, from ${names(features)}, and gives a score for each.`,
      "It takes the features for independent of each other within a class: a normal law for each number, and shares of each category.",
    ],
    columns: predictedBy(target, features),
    exactness: [
      table(
        ["class", "share of the rows"],
        classes.map(({ logShare }, at) => [
          shownCategory(target.categories[at] ?? ""),
          percent(Math.exp(logShare)),
        ]),
      ),
      paragraph(
        "Shares, means and deviations follow from noisy sums, whose noise is told below. There are no intervals.",
      ),
    ],
    unmeasured: [
      "Whether the features are independent of each other within a class, as the model takes them to be.",
    ],
  };
}
